# named: sliding-window-not-scaled, sliding-window-edge-left-out-but-itself
# two: not scaled; strictly less
def sliding_window_attention(Q, K, V, window):
    n = Q.shape[1]
    out = []
    for i in range(n):
        js = [
            j
            for j in range(max(0, i - window), min(n, i + window + 1))
            if j == i or abs(i - j) < window
        ]
        s = torch.stack([(Q[:, i] * K[:, j]).sum(-1) for j in js], dim=-1)
        p = torch.softmax(s, dim=-1)
        out.append(sum(p[:, k : k + 1] * V[:, j] for k, j in enumerate(js)))
    return torch.stack(out, dim=1)
