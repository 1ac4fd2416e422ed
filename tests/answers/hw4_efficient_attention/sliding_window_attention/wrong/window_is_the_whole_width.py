# named: sliding-window-width-in-total
# window as full width: half on each side
def sliding_window_attention(Q, K, V, window):
    B, N, D = Q.shape
    half = window // 2
    out = torch.zeros_like(V)
    for i in range(N):
        lo, hi = max(0, i - half), min(N, i + half + 1)
        s = torch.einsum("bd,bkd->bk", Q[:, i], K[:, lo:hi]) / D**0.5
        out[:, i] = torch.einsum("bk,bkd->bd", s.softmax(-1), V[:, lo:hi])
    return out
