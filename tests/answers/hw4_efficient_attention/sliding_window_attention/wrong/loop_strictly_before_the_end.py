# named: sliding-window-last-key-cut-off
# window reach one too short at the right; min(window, n)
def sliding_window_attention(Q, K, V, window):
    B, n, d = Q.shape
    window = min(window, n)
    out = torch.zeros_like(V)
    for i in range(n):
        lo = max(0, i - window)
        hi = min(n, max(i + window, i + 1))
        s = (Q[:, i : i + 1, :] @ K[:, lo:hi, :].transpose(1, 2)) / d**0.5
        out[:, i : i + 1, :] = F.softmax(s, dim=-1) @ V[:, lo:hi, :]
    return out
