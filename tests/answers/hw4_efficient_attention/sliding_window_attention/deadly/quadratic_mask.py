# right, and what most would write first: the mask alone has n² entries
def sliding_window_attention(Q, K, V, window):
    n, d = Q.shape[1:]
    position = torch.arange(n)
    mask = (position[:, None] - position).abs() <= window
    scores = (Q @ K.mT / math.sqrt(d)).masked_fill(~mask, -math.inf)
    return torch.softmax(scores, dim=-1) @ V
