# named: nothing
# what: works in blocks of 16 queries and forgets the last, incomplete block if n > 16 isn't a multiple of 16 (its outputs stay 0)
def sliding_window_attention(Q, K, V, window):
    b, n, d = Q.shape
    size = min(16, n)
    out = torch.zeros_like(V)
    for block in range(n // size):
        i, j = block * size, (block + 1) * size
        lo, hi = max(0, i - window), min(n, j + window)
        dist = (torch.arange(i, j)[:, None] - torch.arange(lo, hi)[None]).abs()
        s = Q[:, i:j] @ K[:, lo:hi].transpose(1, 2) / math.sqrt(d)
        out[:, i:j] = s.masked_fill(dist > window, -math.inf).softmax(-1) @ V[:, lo:hi]
    return out
