# named: sliding-window-scaled-by-twice-d
# / d ** 1/2 divides by d and by 2
def sliding_window_attention(Q, K, V, window):
    batch, n, d = Q.shape
    out = torch.zeros_like(Q)
    for i in range(n):
        left, right = max(0, i - window), min(n, i + window + 1)
        s = Q[:, i : i + 1] @ K[:, left:right].transpose(1, 2)
        w = torch.softmax(s / d**1 / 2, dim=-1)
        out[:, i : i + 1] = w @ V[:, left:right]
    return out
