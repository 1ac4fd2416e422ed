# right: a loop over offsets, each a shifted elementwise product
def sliding_window_attention(Q, K, V, window):
    b, n, d = Q.shape
    reach = min(window, n - 1)
    offsets = range(-reach, reach + 1)
    scores = torch.full((b, n, 2 * reach + 1), -torch.inf)
    for c, o in enumerate(offsets):
        rows = slice(max(0, -o), n - max(0, o))
        cols = slice(max(0, o), n + min(0, o))
        scores[:, rows, c] = (Q[:, rows] * K[:, cols]).sum(-1)
    weights = (scores * d**-0.5).softmax(dim=2)
    out = torch.zeros(b, n, d)
    for c, o in enumerate(offsets):
        rows = slice(max(0, -o), n - max(0, o))
        cols = slice(max(0, o), n + min(0, o))
        out[:, rows] += weights[:, rows, c, None] * V[:, cols]
    return out
