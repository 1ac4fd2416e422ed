def sliding_window_attention(Q, K, V, window):
    n, d = Q.shape[1], Q.shape[2]
    rows = []
    for i in range(n):
        near = slice(max(0, i - window), i + window + 1)
        scores = Q[:, i : i + 1] @ K[:, near].transpose(1, 2) / d**0.5
        rows.append(scores.softmax(-1) @ V[:, near])
    return torch.cat(rows, dim=1)
