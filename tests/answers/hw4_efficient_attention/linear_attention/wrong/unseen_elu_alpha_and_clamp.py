# named: linear-elu-of-alpha-a-half
# what: denominator clamped at 1e-3 and elu(Q)+1 with alpha 0.5
def linear_attention(Q, K, V):
    q = F.elu(Q, alpha=0.5) + 1
    k = F.elu(K, alpha=0.5) + 1
    den = torch.clamp(q @ k.sum(1, keepdim=True).transpose(1, 2), min=1e-3)
    return (q @ (k.mT @ V)) / den
