# named: sliding-window-width-in-total
# window is total width, min(window,n)
def sliding_window_attention(Q, K, V, window):
    n, d = Q.size(1), Q.size(2)
    half = min(window, n) // 2
    Kp = F.pad(K, (0, 0, half, half))
    Vp = F.pad(V, (0, 0, half, half))
    Kw = Kp.unfold(1, 2 * half + 1, 1)
    Vw = Vp.unfold(1, 2 * half + 1, 1)
    scores = (Q.unsqueeze(-1) * Kw).sum(2) / d**0.5
    pos = torch.arange(n)[:, None] + torch.arange(-half, half + 1)[None, :]
    scores = scores.masked_fill((pos < 0) | (pos >= n), float("-inf"))
    return (scores.softmax(-1).unsqueeze(2) * Vw).sum(-1)
