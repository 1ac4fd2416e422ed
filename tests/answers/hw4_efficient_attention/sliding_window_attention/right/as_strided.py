def sliding_window_attention(Q, K, V, window):
    b, n, d = Q.shape
    padding = torch.zeros(b, window, d)

    def strided(x):
        padded = torch.cat([padding, x, padding], 1).contiguous()
        s0, s1, s2 = padded.stride()
        return padded.as_strided((b, n, 2 * window + 1, d), (s0, s1, s1, s2))

    where = torch.arange(n).unsqueeze(1) + torch.arange(2 * window + 1) - window
    scores = (strided(K) @ Q.unsqueeze(-1)).squeeze(-1) / math.sqrt(d)
    scores[:, (where < 0) | (where > n - 1)] = -1e30
    return (torch.softmax(scores, -1).unsqueeze(-2) @ strided(V)).squeeze(-2)
