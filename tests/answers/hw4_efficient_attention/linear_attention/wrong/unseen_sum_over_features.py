# named: linear-normaliser-of-all-features
# what: the denominator sums φ(K) over features, then over tokens (not weighted by the query)
def linear_attention(Q, K, V):
    phi = lambda x: torch.where(x > 0, x + 1, x.exp())
    num = phi(Q) @ (phi(K).transpose(1, 2) @ V)
    den = phi(K).sum(dim=(1, 2), keepdim=True)
    return num / den
