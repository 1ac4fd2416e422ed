# named: sliding-window-starts-below-zero
# the slice's start isn't kept from going below 0
def sliding_window_attention(Q, K, V, window):
    B, n, d = Q.shape
    rows = []
    for i in range(n):
        k, v = K[:, i - window : i + window + 1], V[:, i - window : i + window + 1]
        w = torch.softmax(torch.bmm(Q[:, i : i + 1], k.mT) / d**0.5, -1)
        rows.append(torch.bmm(w, v))
    return torch.hstack(rows)
