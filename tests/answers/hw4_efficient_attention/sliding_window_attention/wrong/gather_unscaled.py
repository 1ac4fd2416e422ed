# named: sliding-window-not-scaled
# not scaled, gather, -1e9
def sliding_window_attention(Q, K, V, window):
    b, n, d = Q.shape
    window = min(window, n - 1)
    offsets = torch.arange(-window, window + 1)
    idx = torch.arange(n).unsqueeze(1) + offsets
    ok = (idx >= 0) & (idx < n)
    idx = idx.clamp(0, n - 1)
    k, v = K[:, idx], V[:, idx]
    scores = torch.einsum("bid,biwd->biw", Q, k)
    scores[:, ~ok] = -1e9
    attn = torch.softmax(scores, -1)
    return torch.einsum("biw,biwd->bid", attn, v)
