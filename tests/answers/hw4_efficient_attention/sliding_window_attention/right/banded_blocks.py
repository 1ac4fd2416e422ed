# queries in blocks of 64; each block meets its own keys and `window` more on either side
def sliding_window_attention(Q, K, V, window, block=64):
    n, d = Q.shape[1:]
    out = torch.empty_like(Q)
    for first in range(0, n, block):
        last = min(first + block, n)
        low, high = max(0, first - window), min(n, last + window)
        queries, keys = torch.arange(first, last), torch.arange(low, high)
        allowed = (queries[:, None] - keys).abs() <= window
        scores = Q[:, first:last] @ K[:, low:high].mT / math.sqrt(d)
        out[:, first:last] = scores.masked_fill(~allowed, -math.inf).softmax(-1) @ V[:, low:high]
    return out
