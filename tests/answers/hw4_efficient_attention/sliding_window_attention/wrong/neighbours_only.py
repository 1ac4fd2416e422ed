# named: sliding-window-not-itself
# what: gathers the neighbours on both sides, and leaves out the token itself
def sliding_window_attention(Q, K, V, window):
    if window == 0:
        return torch.zeros_like(V)
    n, d = Q.shape[1:]
    window = min(window, n)
    steps = torch.tensor([step for step in range(-window, window + 1) if step])
    places = torch.arange(n)[:, None] + steps
    inside = (places >= 0) & (places < n)
    places = places.clamp(0, n - 1)
    scores = (Q[:, :, None] * K[:, places]).sum(-1) / math.sqrt(d)
    weights = scores.masked_fill(~inside, -1e9).softmax(-1)
    return (weights[..., None] * V[:, places]).sum(2)
