# named: nothing
# blocks of four; tokens beyond the last whole block stay 0
def sliding_window_attention(Q, K, V, window):
    b, n, d = Q.shape
    out = torch.zeros_like(V)
    block = 4
    for c in range(n // block):
        rows = slice(c * block, (c + 1) * block)
        lo, hi = max(0, c * block - window), min(n, (c + 1) * block + window)
        dist = torch.arange(c * block, (c + 1) * block).unsqueeze(1) - torch.arange(lo, hi)
        s = Q[:, rows] @ K[:, lo:hi].transpose(1, 2) / d**0.5
        s = s.masked_fill(dist.abs() > window, -math.inf)
        out[:, rows] = s.softmax(-1) @ V[:, lo:hi]
    return out
