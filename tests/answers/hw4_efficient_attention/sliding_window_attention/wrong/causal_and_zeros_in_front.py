# named: sliding-window-causal, sliding-window-padding-attended, sliding-window-padding-in-front-attended
# a window of the past, and the zeros before the text count
def sliding_window_attention(Q, K, V, window):
    n, d = Q.shape[1:]
    k = F.pad(K, (0, 0, window, 0)).unfold(1, window + 1, 1)
    v = F.pad(V, (0, 0, window, 0)).unfold(1, window + 1, 1)
    w = torch.einsum("bnd,bndw->bnw", Q / math.sqrt(d), k).softmax(-1)
    return torch.einsum("bnw,bndw->bnd", w, v)
