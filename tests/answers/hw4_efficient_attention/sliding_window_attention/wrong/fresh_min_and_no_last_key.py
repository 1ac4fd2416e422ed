# named: sliding-window-last-key-cut-off
# the key at distance `window` on the right is left out; harmless min
def sliding_window_attention(Q, K, V, window):
    n = Q.size(1)
    reach = min(window, n)
    out = torch.zeros_like(Q)
    for i in range(n):
        lo, hi = max(i - reach, 0), min(max(i + reach, i + 1), n)
        s = (Q[:, i, None] * K[:, lo:hi]).sum(-1) / Q.size(2) ** 0.5
        out[:, i] = (s.softmax(-1)[..., None] * V[:, lo:hi]).sum(1)
    return out
