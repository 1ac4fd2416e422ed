# named: sliding-window-dilated
# what: gathers every second neighbour, up to 2 * window away, as Longformer's dilated window does
def sliding_window_attention(Q, K, V, window):
    n, d = Q.shape[1:]
    window = min(window, n)
    places = torch.arange(n)[:, None] + 2 * torch.arange(-window, window + 1)
    inside = (places >= 0) & (places < n)
    places = places.clamp(0, n - 1)
    scores = torch.einsum("bnd,bnwd->bnw", Q, K[:, places]) / d**0.5
    weights = scores.masked_fill(~inside, float("-inf")).softmax(-1)
    return torch.einsum("bnw,bnwd->bnd", weights, V[:, places])
