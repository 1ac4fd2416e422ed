# named: sliding-window-keys-read-on
# windows of keys from unfold are reshaped, so that places and features are mixed
def sliding_window_attention(Q, K, V, window):
    b, n, d = Q.shape
    w = min(window, n - 1)
    size = 2 * w + 1
    K_pad = F.pad(K, (0, 0, w, w))
    V_pad = F.pad(V, (0, 0, w, w))
    K_win = K_pad.unfold(1, size, 1)  # (b, n, d, 2w+1)
    V_win = V_pad.unfold(1, size, 1)
    scores = (K_win.reshape(b, n, size, d) @ Q.unsqueeze(-1)).squeeze(-1) / d**0.5
    positions = torch.arange(n)[:, None] + torch.arange(-w, w + 1)[None, :]
    valid = (positions >= 0) & (positions < n)
    scores = scores.masked_fill(~valid, float("-inf"))
    attn = scores.softmax(dim=-1)
    return torch.einsum("bnw,bndw->bnd", attn, V_win)
