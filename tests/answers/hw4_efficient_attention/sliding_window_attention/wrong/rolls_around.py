# named: sliding-window-wraps-around
# a ring instead of a text
def sliding_window_attention(Q, K, V, window):
    shifts = range(-window, window + 1)
    scores = torch.stack([(Q * K.roll(s, dims=1)).sum(-1) for s in shifts], -1)
    weights = torch.softmax(scores / math.sqrt(Q.shape[-1]), -1)
    return sum(weights[..., j, None] * V.roll(s, dims=1) for j, s in enumerate(shifts))
