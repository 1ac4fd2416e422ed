# named: sliding-window-over-features-places-hidden
def sliding_window_attention(Q, K, V, window):
    b, n, d = Q.shape
    size = 2 * window + 1
    Kw = F.pad(K, (window, window)).unfold(2, size, 1)
    Vw = F.pad(V, (window, window)).unfold(2, size, 1)
    pos = torch.arange(n).unsqueeze(1) + torch.arange(-window, window + 1)
    ok = (pos >= 0) & (pos < n)
    scores = (Q.unsqueeze(-1) * Kw).sum(2) / d ** 0.5
    weights = torch.softmax(scores.masked_fill(~ok, float("-inf")), dim=-1)
    return (weights.unsqueeze(2) * Vw).sum(-1)
