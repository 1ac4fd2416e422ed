# named: linear-causal
# running sums
def linear_attention(Q, K, V):
    q, k = F.elu(Q) + 1, F.elu(K) + 1
    out, S, z = [], 0, 0
    for i in range(Q.shape[1]):
        S = S + k[:, i, :, None] * V[:, i, None, :]
        z = z + k[:, i]
        out.append((q[:, i, None] @ S)[:, 0] / (q[:, i] * z).sum(-1, keepdim=True))
    return torch.stack(out, 1)
