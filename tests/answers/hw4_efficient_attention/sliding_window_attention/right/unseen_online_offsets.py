# a running softmax over offsets
# online softmax over offsets
def sliding_window_attention(Q, K, V, window):
    b, n, d = Q.shape
    top = (Q * K).sum(-1, keepdim=True) / d**0.5
    total = torch.ones_like(top)
    acc = V.clone()
    for o in [s * k for k in range(1, min(window, n - 1) + 1) for s in (1, -1)]:
        here = slice(0, n - o) if o > 0 else slice(-o, n)
        there = slice(o, n) if o > 0 else slice(0, n + o)
        s = (Q[:, here] * K[:, there]).sum(-1, keepdim=True) / d**0.5
        new = torch.maximum(top[:, here], s)
        keep, add = torch.exp(top[:, here] - new), torch.exp(s - new)
        acc[:, here] = acc[:, here] * keep + add * V[:, there]
        total[:, here] = total[:, here] * keep + add
        top[:, here] = new
    return acc / total
