# named: nothing
# what: exponentials without shift and window off by one to the right (slice end)
def sliding_window_attention(Q, K, V, window):
    b, n, d = Q.shape
    res = []
    for i in range(n):
        sl = slice(max(i - window, 0), max(i + window, 1))
        e = torch.exp((K[:, sl] @ Q[:, i, :, None]) / math.sqrt(d))
        res.append((e * V[:, sl]).sum(1) / e.sum(1))
    return torch.stack(res, 1)
