# named: linear-elu-of-alpha-a-half
# elu with another alpha
def linear_attention(Q, K, V):
    q, k = F.elu(Q, alpha=0.5) + 1, F.elu(K, alpha=0.5) + 1
    n = q @ (k.transpose(1, 2) @ V)
    return n / (q @ k.sum(1)[:, :, None])
