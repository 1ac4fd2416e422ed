def linear_attention(Q, K, V):
    def phi(x):
        return torch.where(x > 0, x + 1, torch.exp(x))

    q, k = phi(Q), phi(K)
    return (q @ (k.mT @ V)) / (q * k.sum(1, keepdim=True)).sum(-1, keepdim=True)
