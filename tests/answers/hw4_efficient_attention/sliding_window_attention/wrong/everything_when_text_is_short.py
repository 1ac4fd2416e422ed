# named: sliding-window-full-when-short
# a text that fits into one window needs none, it is thought
def sliding_window_attention(Q, K, V, window):
    n = Q.shape[1]
    if n <= 2 * window:
        return full_attention(Q, K, V)
    i = torch.arange(n)
    return full_attention(Q, K, V, mask=(i[:, None] - i).abs() <= window)
