# named: sliding-window-width-in-total, sliding-window-not-scaled
# what: window taken as total width, and no scale
def sliding_window_attention(Q, K, V, window):
    B, N, D = Q.shape
    half = window // 2
    out = torch.empty_like(V)
    for t in range(N):
        keys = K[:, max(0, t - half) : t + half + 1]
        vals = V[:, max(0, t - half) : t + half + 1]
        a = torch.softmax(Q[:, t : t + 1] @ keys.mT, dim=-1)
        out[:, t : t + 1] = a @ vals
    return out
