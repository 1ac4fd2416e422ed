# named: sliding-window-padding-attended
# what: the padded places at the ends aren't hidden (score 0)
def sliding_window_attention(Q, K, V, window):
    b, n, d = Q.shape
    window = min(window, n)
    K = F.pad(K, (0, 0, window, window))
    V = F.pad(V, (0, 0, window, window))
    scores = (
        torch.stack([(Q * K[:, o : o + n]).sum(-1) for o in range(2 * window + 1)], -1) / d**0.5
    )
    p = torch.softmax(scores, -1)
    return sum(p[..., o : o + 1] * V[:, o : o + n] for o in range(2 * window + 1))
