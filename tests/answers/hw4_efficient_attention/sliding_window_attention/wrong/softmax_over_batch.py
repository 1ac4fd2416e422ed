# named: sliding-window-softmax-over-batch
# softmax dim=0
def sliding_window_attention(Q, K, V, window):
    B, n, d = Q.shape
    out = []
    for i in range(n):
        lo, hi = max(0, i - window), min(n - 1, i + window)
        s = torch.einsum("bd,bwd->bw", Q[:, i], K[:, lo : hi + 1]) / math.sqrt(d)
        w = torch.softmax(s, dim=0)
        out.append(torch.einsum("bw,bwd->bd", w, V[:, lo : hi + 1]))
    return torch.stack(out, dim=1)
