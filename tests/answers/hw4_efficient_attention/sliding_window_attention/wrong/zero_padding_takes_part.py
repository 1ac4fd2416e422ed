# named: sliding-window-padding-attended
# padded zeros not hidden
def sliding_window_attention(Q, K, V, window):
    b, n, d = Q.shape
    size = 2 * window + 1
    Kp = F.pad(K, (0, 0, window, window)).unfold(1, size, 1)  # (b, n, d, size)
    Vp = F.pad(V, (0, 0, window, window)).unfold(1, size, 1)
    scores = torch.einsum("bnd,bndw->bnw", Q, Kp) / math.sqrt(d)
    weights = scores.softmax(-1)
    return torch.einsum("bnw,bndw->bnd", weights, Vp)
