# named: sliding-window-scale-cut-off
# int() around the root
def sliding_window_attention(Q, K, V, window):
    b, n, d = Q.shape
    w = min(window, n - 1)
    width = 2 * w + 1
    k = F.pad(K, (0, 0, w, w)).unfold(1, width, 1)  # (b, n, d, width)
    v = F.pad(V, (0, 0, w, w)).unfold(1, width, 1)
    scores = torch.einsum("bnd,bndw->bnw", Q, k) / int(d**0.5)
    there = F.pad(torch.ones(n, dtype=torch.bool), (w, w)).unfold(0, width, 1)
    scores.masked_fill_(~there, float("-inf"))
    return torch.einsum("bnw,bndw->bnd", scores.softmax(-1), v)
