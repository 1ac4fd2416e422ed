# named: sliding-window-causal, sliding-window-scaled-by-d
# two: looks back only; divides by d
def sliding_window_attention(Q, K, V, window):
    n, d = Q.shape[1:]
    K_pad = F.pad(K, (0, 0, window, 0))
    V_pad = F.pad(V, (0, 0, window, 0))
    valid = F.pad(torch.ones(n), (window, 0)).unfold(0, window + 1, 1).bool()
    Kw, Vw = K_pad.unfold(1, window + 1, 1), V_pad.unfold(1, window + 1, 1)
    s = torch.einsum("bnd,bndw->bnw", Q, Kw) / d
    s = s.masked_fill(~valid, float("-inf"))
    return torch.einsum("bnw,bndw->bnd", s.softmax(-1), Vw)
