# named: sliding-window-scaled-by-half-d
# d ** 1/2 is d / 2
def sliding_window_attention(Q, K, V, window):
    batch, n, d = Q.shape
    out = torch.zeros_like(Q)
    for i in range(n):
        left, right = max(0, i - window), min(n, i + window + 1)
        s = Q[:, i : i + 1] @ K[:, left:right].transpose(1, 2)
        scale = d**1 / 2
        out[:, i : i + 1] = torch.softmax(s / scale, dim=-1) @ V[:, left:right]
    return out
