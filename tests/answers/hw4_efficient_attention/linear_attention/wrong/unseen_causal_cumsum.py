# named: linear-causal
# what: causal: running sums
def linear_attention(Q, K, V):
    fq, fk = F.elu(Q) + 1, F.elu(K) + 1
    b, n, d = Q.shape
    S = torch.zeros(b, d, V.shape[-1])
    z = torch.zeros(b, d)
    out = []
    for t in range(n):
        S = S + fk[:, t, :, None] * V[:, t, None, :]
        z = z + fk[:, t]
        out.append((fq[:, t, None] @ S)[:, 0] / (fq[:, t] * z).sum(-1, keepdim=True))
    return torch.stack(out, 1)
