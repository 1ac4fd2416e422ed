# named: sliding-window-one-maximum
# shifted by the largest score of all
def sliding_window_attention(Q, K, V, window):
    n, d = Q.shape[1], Q.shape[2]
    i = torch.arange(n)
    near = (i[:, None] - i).abs() <= window
    s = (Q @ K.mT / d**0.5).masked_fill(~near, -torch.inf)
    e = torch.exp(s - s.max())
    return e @ V / e.sum(-1, keepdim=True)
