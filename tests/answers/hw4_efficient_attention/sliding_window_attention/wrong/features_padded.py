# named: crash-shapes
# F.pad begins with the last axis
def sliding_window_attention(Q, K, V, window):
    b, n, d = Q.shape
    size = 2 * window + 1
    k = F.pad(K, (window, window)).unfold(1, size, 1)
    v = F.pad(V, (window, window)).unfold(1, size, 1)
    scores = torch.einsum("bnd,bndw->bnw", Q, k) / math.sqrt(d)
    return torch.einsum("bnw,bndw->bnd", scores.softmax(-1), v)
