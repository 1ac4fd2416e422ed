def sliding_window_attention(Q, K, V, window):
    n, d = Q.shape[-2:]
    index = torch.arange(n)[:, None] + torch.arange(-window, window + 1)
    outside = (index < 0) | (index >= n)
    index = index.clamp(0, n - 1)
    scores = torch.einsum("...qd,...qkd->...qk", Q, K[:, index]) / math.sqrt(d)
    weights = torch.softmax(scores.masked_fill(outside, -torch.inf), -1)
    return torch.einsum("...qk,...qkd->...qd", weights, V[:, index])
