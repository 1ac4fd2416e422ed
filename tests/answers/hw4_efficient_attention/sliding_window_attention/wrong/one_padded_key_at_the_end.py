# named: sliding-window-padding-just-behind-attended
# > n for >= n
def sliding_window_attention(Q, K, V, window):
    b, n, d = Q.shape
    size = 2 * window + 1
    k = F.pad(K, (0, 0, window, window)).unfold(1, size, 1)
    v = F.pad(V, (0, 0, window, window)).unfold(1, size, 1)
    scores = torch.einsum("bnd,bndw->bnw", Q, k) / math.sqrt(d)
    pos = torch.arange(n).unsqueeze(1) - window + torch.arange(size)
    scores = scores.masked_fill((pos < 0) | (pos > n), float("-inf"))
    return torch.einsum("bnw,bndw->bnd", scores.softmax(-1), v)
