# named: nothing
def sliding_window_attention(Q, K, V, window):
    n, d = Q.shape[1:]
    if window >= n - 1:
        return torch.softmax(Q @ K.mT, dim=-1) @ V
    out = torch.zeros_like(V)
    for i in range(n):
        a, b = max(0, i - window), min(n, i + window + 1)
        w = torch.softmax(Q[:, i : i + 1] @ K[:, a:b].mT / math.sqrt(d), dim=-1)
        out[:, i] = (w @ V[:, a:b])[:, 0]
    return out
