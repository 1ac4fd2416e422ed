# one neighbour after the other: largest score, sum and average so far, for all queries at once
def sliding_window_attention(Q, K, V, window):
    n, d = Q.shape[1:]
    top = torch.full((*Q.shape[:2], 1), -math.inf)
    total, average = torch.zeros_like(top), torch.zeros_like(V)
    for s in sorted(range(-min(window, n - 1), min(window, n - 1) + 1), key=abs):
        at = torch.arange(n) + s
        there = (at >= 0) & (at < n)
        at = at.clamp(0, n - 1)
        score = (Q * K[:, at]).sum(-1, keepdim=True) / math.sqrt(d)
        score = score.masked_fill(~there[:, None], -math.inf)
        new = torch.maximum(top, score)
        keep, add = torch.exp(top - new), torch.exp(score - new)
        average = average * keep + add * V[:, at]
        total, top = total * keep + add, new
    return average / total
