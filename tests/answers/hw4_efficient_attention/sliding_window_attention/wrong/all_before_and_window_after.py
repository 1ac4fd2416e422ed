# named: sliding-window-open-behind
# slice starts at 0: everything before counts
def sliding_window_attention(Q, K, V, window):
    rows = []
    for i in range(Q.shape[1]):
        keys, values = K[:, : i + window + 1], V[:, : i + window + 1]
        scores = Q[:, i : i + 1] @ keys.transpose(1, 2) / math.sqrt(Q.shape[2])
        rows.append(torch.softmax(scores, dim=-1) @ values)
    return torch.cat(rows, dim=1)
