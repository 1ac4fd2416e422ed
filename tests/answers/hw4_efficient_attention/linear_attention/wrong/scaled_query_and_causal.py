# named: linear-scaled-before-features, linear-causal
def linear_attention(Q, K, V):
    d = Q.shape[-1]
    q = F.elu(Q / math.sqrt(d)) + 1
    k = F.elu(K) + 1
    b, n, _ = K.shape
    S = torch.zeros(b, d, V.shape[-1])
    z = torch.zeros(b, d)
    rows = []
    for t in range(n):
        S = S + k[:, t, :, None] * V[:, t, None, :]
        z = z + k[:, t]
        rows.append((q[:, t, None] @ S)[:, 0] / (q[:, t] * z).sum(-1, keepdim=True))
    return torch.stack(rows, dim=1)
