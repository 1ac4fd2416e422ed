# named: sliding-window-causal
# what: looks only to the left (causal window), unfold style
def sliding_window_attention(Q, K, V, window):
    b, n, d = Q.shape
    w = min(window, n - 1)
    Kp = F.pad(K, (0, 0, w, 0))
    Vp = F.pad(V, (0, 0, w, 0))
    Ks = Kp.unfold(1, w + 1, 1)
    Vs = Vp.unfold(1, w + 1, 1)  # b n d w
    s = torch.einsum("bnd,bndw->bnw", Q, Ks) / math.sqrt(d)
    real = F.pad(torch.ones(n), (w, 0)).unfold(0, w + 1, 1) > 0
    s = s.masked_fill(~real, float("-inf"))
    return torch.einsum("bnw,bndw->bnd", s.softmax(-1), Vs)
