# named: sliding-window-first-key-cut-off
# range starts one late
def sliding_window_attention(Q, K, V, window):
    B, n, d = Q.shape
    scale = 1 / math.sqrt(d)
    out = torch.zeros(B, n, d)
    for i in range(n):
        left = max(0, i - window + 1)
        right = min(n, i + window + 1)
        if left > i:
            left = i
        logits = torch.matmul(Q[:, i, None], K[:, left:right].permute(0, 2, 1)) * scale
        out[:, i] = torch.matmul(torch.softmax(logits, -1), V[:, left:right])[:, 0]
    return out
