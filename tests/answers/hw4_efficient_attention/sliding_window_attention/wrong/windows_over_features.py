# named: sliding-window-over-features
def sliding_window_attention(Q, K, V, window):
    b, n, d = Q.shape
    size = 2 * window + 1
    Kw = F.pad(K, (window, window)).unfold(-1, size, 1)  # (b, n, d, size)
    Vw = F.pad(V, (window, window)).unfold(-1, size, 1)
    scores = torch.einsum("bnd,bndw->bnw", Q, Kw) / math.sqrt(d)
    weights = torch.softmax(scores, dim=-1)
    return torch.einsum("bnw,bndw->bnd", weights, Vw)
