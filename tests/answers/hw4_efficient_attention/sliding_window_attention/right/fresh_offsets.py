# right; offsets with a running maximum
def sliding_window_attention(Q, K, V, window):
    b, n, d = Q.shape
    top = torch.full((b, n, 1), -math.inf)
    total, mixed = torch.zeros(b, n, 1), torch.zeros_like(V)
    for off in range(-min(window, n - 1), min(window, n - 1) + 1):
        qs = slice(max(0, -off), n - max(0, off))
        ks = slice(max(0, off), n + min(0, off))
        s = (Q[:, qs] * K[:, ks]).sum(-1, keepdim=True) / math.sqrt(d)
        new = torch.maximum(top[:, qs], s)
        old, now = (top[:, qs] - new).exp(), (s - new).exp()
        total[:, qs] = total[:, qs] * old + now
        mixed[:, qs] = mixed[:, qs] * old + now * V[:, ks]
        top[:, qs] = new
    return mixed / total
