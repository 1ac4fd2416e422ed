# named: linear-normaliser-of-sums-over-features
# normaliser over the features of the query and the key
def linear_attention(Q, K, V):
    phi = lambda t: torch.where(t > 0, t + 1, torch.exp(t))
    q, k = phi(Q), phi(K)
    out = torch.zeros_like(V)
    for b in range(Q.shape[0]):
        S = k[b].T @ V[b]
        z = k[b].sum(dim=1)
        num = q[b] @ S
        out[b] = num / (q[b].sum(dim=1) * z).unsqueeze(-1)
    return out
