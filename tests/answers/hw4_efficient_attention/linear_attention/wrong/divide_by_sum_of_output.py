# named: linear-normalised-over-result
# normalised by sum of the output
def linear_attention(Q, K, V):
    q, k = F.elu(Q) + 1, F.elu(K) + 1
    out = q @ (k.transpose(-1, -2) @ V)
    return out / out.sum(dim=-1, keepdim=True)
