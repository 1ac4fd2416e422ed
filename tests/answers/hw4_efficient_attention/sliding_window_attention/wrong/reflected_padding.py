# named: sliding-window-ends-reflected, crash-shapes
# the padding mirrors the text, and refuses wide windows
def sliding_window_attention(Q, K, V, window):
    d = Q.shape[-1]
    width = 2 * window + 1
    pad = lambda x: F.pad(x.transpose(1, 2), (window, window), mode="reflect")
    keys = pad(K).unfold(2, width, 1)
    values = pad(V).unfold(2, width, 1)
    w = torch.softmax(torch.einsum("bnd,bdnw->bnw", Q, keys) / d**0.5, dim=-1)
    return torch.einsum("bnw,bdnw->bnd", w, values)
