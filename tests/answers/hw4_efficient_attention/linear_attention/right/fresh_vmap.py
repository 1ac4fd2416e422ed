# right; vmap over sentences
def linear_attention(Q, K, V):
    def sentence(q, k, v):
        q, k = F.elu(q).add(1), F.elu(k).add(1)
        return (
            torch.linalg.multi_dot([q, k.T, v])
            if False
            else (q @ (k.T @ v)) / (q @ k.sum(0))[:, None]
        )

    return torch.vmap(sentence)(Q, K, V)
