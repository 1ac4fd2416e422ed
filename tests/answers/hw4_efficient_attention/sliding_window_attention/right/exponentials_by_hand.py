# softmax as a quotient of two running sums, shifted by the largest score of each query
def sliding_window_attention(Q, K, V, window):
    b, n, d = Q.shape
    scores = torch.full((2 * window + 1, b, n), -math.inf)
    for s in range(-window, window + 1):
        for_queries = slice(max(0, -s), max(0, min(n, n - s)))
        for_keys = slice(max(0, s), max(0, min(n, n + s)))
        scores[s + window, :, for_queries] = (Q[:, for_queries] * K[:, for_keys]).sum(2) / d**0.5
    powers = torch.exp(scores - scores.amax(0))
    above, below = torch.zeros_like(V), powers.sum(0)
    for s in range(-window, window + 1):
        for_queries = slice(max(0, -s), max(0, min(n, n - s)))
        for_keys = slice(max(0, s), max(0, min(n, n + s)))
        above[:, for_queries] += powers[s + window, :, for_queries, None] * V[:, for_keys]
    return above / below[..., None]
