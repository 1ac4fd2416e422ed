# named: linear-normaliser-at-least-1e-6
# denominator clamped at 1e-6
def linear_attention(Q, K, V):
    q, k = F.elu(Q) + 1, F.elu(K) + 1
    den = (q @ k.sum(dim=1, keepdim=True).transpose(1, 2)).clamp(min=1e-6)
    return (q @ (k.transpose(1, 2) @ V)) / den
