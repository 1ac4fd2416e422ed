# named: sliding-window-width-in-total, sliding-window-not-scaled
# two: half window; not scaled
def sliding_window_attention(Q, K, V, window):
    B, n, d = Q.shape
    r = window // 2
    out = torch.empty_like(Q)
    for b in range(B):
        for i in range(n):
            l, u = max(0, i - r), min(n, i + r + 1)
            out[b, i] = F.softmax(K[b, l:u] @ Q[b, i], dim=0) @ V[b, l:u]
    return out
