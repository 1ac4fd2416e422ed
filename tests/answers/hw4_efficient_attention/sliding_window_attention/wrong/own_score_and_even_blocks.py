# named: nothing
# two mistakes: scores are shifted by each token's own score instead of the largest (a
# neighbour's that is 89 higher overflows), and for n > 4096 the window is limited to 64
def sliding_window_attention(Q, K, V, window):
    n, d = Q.shape[1:]
    w = min(window, n - 1)
    if n > 4096:
        w = min(w, 64)
    own = (Q * K).sum(-1) / d**0.5
    num, den = torch.zeros_like(V), torch.zeros_like(own)
    for o in range(-w, w + 1):
        i = torch.arange(max(0, -o), min(n, n - o))
        e = torch.exp((Q[:, i] * K[:, i + o]).sum(-1) / d**0.5 - own[:, i])
        den[:, i] += e
        num[:, i] += e[..., None] * V[:, i + o]
    return num / den[..., None]
