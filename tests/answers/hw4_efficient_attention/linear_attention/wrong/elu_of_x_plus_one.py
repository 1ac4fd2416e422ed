# named: linear-plus-one-inside
# F.elu(x + 1) in place of elu(x) + 1
def linear_attention(Q, K, V):
    phi = lambda x: F.elu(x + 1)
    q, k = phi(Q), phi(K)
    summary = k.transpose(-2, -1) @ V
    norm = q @ k.sum(dim=1).unsqueeze(-1)
    return q @ summary / norm
