# named: nothing
# an assertion of its own forbids wide windows
def sliding_window_attention(Q, K, V, window):
    n, d = Q.shape[1:]
    assert 2 * window + 1 <= n, "window too large"
    i = torch.arange(n)
    scores = Q @ K.mT / math.sqrt(d)
    scores[:, (i[:, None] - i).abs() > window] = -torch.inf
    return scores.softmax(-1) @ V
