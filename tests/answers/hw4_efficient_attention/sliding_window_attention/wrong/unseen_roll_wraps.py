# named: sliding-window-wraps-around-once
# what: the window wraps around the ends (torch.roll)
def sliding_window_attention(Q, K, V, window):
    n, d = Q.shape[1:]
    offs = (
        sorted({o % n for o in range(-window, window + 1)})
        if 2 * window + 1 > n
        else range(-window, window + 1)
    )
    ks = torch.stack([K.roll(-o, 1) for o in offs], 2)
    vs = torch.stack([V.roll(-o, 1) for o in offs], 2)
    s = (Q.unsqueeze(2) * ks).sum(-1) / math.sqrt(d)
    return (s.softmax(2).unsqueeze(-1) * vs).sum(2)
