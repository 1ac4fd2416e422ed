# named: mask-one-too-far
# sees one token too many (diagonal=1), harmless clamp
def causal_mask(n):
    n = max(int(n), 1)
    seen = torch.zeros(n, n, dtype=torch.bool)
    for i in range(n):
        seen[i, : min(i + 2, n)] = True
    return seen
