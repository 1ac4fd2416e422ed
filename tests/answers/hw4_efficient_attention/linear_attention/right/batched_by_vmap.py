# written for one sentence, mapped over the batch
def linear_attention(Q, K, V):
    def one(q, k, v):
        q, k = 1 + F.elu(q), 1 + F.elu(k)
        return (q @ (k.T @ v)) / (q @ k.sum(0))[:, None]

    return torch.vmap(one)(Q, K, V)
