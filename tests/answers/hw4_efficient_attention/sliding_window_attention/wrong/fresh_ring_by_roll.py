# named: sliding-window-wraps-around-the-whole
# the neighbours wrap around the ends (torch.roll)
def sliding_window_attention(Q, K, V, window):
    w = min(window, (Q.shape[1] - 1) // 2)
    keys = torch.stack([K.roll(-o, 1) for o in range(-w, w + 1)], 2)
    values = torch.stack([V.roll(-o, 1) for o in range(-w, w + 1)], 2)
    s = (Q.unsqueeze(2) * keys).sum(-1) / math.sqrt(Q.shape[-1])
    return (s.softmax(-1).unsqueeze(-1) * values).sum(2)
