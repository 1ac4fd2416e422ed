# named: sliding-window-softmax-over-one-entry
# one query at a time, and the softmax runs over it
def sliding_window_attention(Q, K, V, window):
    batch, n, d = Q.shape
    out = torch.zeros_like(V)
    for i in range(n):
        start = max(0, i - window)
        end = min(n, i + window + 1)
        q_i = Q[:, i : i + 1, :]
        k_win = K[:, start:end, :]
        v_win = V[:, start:end, :]
        scores = torch.bmm(q_i, k_win.transpose(1, 2)) / math.sqrt(d)
        attn = F.softmax(scores, dim=1)
        out[:, i : i + 1, :] = torch.bmm(attn, v_win)
    return out
