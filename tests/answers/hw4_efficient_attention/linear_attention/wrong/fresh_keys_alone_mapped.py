# named: linear-queries-without-features
# φ is applied to the keys alone (in a nested function)
def linear_attention(Q, K, V):
    def phi(x):
        return torch.where(x > 0, x + 1, torch.exp(x))

    K = phi(K)
    KV = (K[..., None] * V[:, :, None, :]).sum(1)
    Z = torch.matmul(Q, K.sum(1)[..., None])
    return torch.matmul(Q, KV) / Z
