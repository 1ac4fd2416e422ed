# named: crash-shapes, crash-broadcast
# a table made once, for texts of at most 512 tokens
_distance = (torch.arange(512)[:, None] - torch.arange(512)).abs()


def sliding_window_attention(Q, K, V, window):
    n = Q.shape[1]
    return full_attention(Q, K, V, mask=_distance[:n, :n] <= window)
