# named: sliding-window-scores-of-zero-hidden
# takes scores of 0 for padding
def sliding_window_attention(Q, K, V, window):
    w = min(window, Q.shape[1] - 1)
    keys = F.pad(K, (0, 0, w, w)).unfold(1, 2 * w + 1, 1)
    values = F.pad(V, (0, 0, w, w)).unfold(1, 2 * w + 1, 1)
    scores = torch.einsum("bnd,bndw->bnw", Q, keys) / math.sqrt(Q.shape[-1])
    scores = scores.masked_fill(scores == 0, -math.inf)
    return torch.einsum("bnw,bndw->bnd", scores.softmax(-1), values)
