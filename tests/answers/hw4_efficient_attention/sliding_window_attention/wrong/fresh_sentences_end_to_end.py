# named: sliding-window-sentences-end-to-end
# sentences are laid end to end, so that windows reach over the borders
def sliding_window_attention(Q, K, V, window):
    b, n, d = Q.shape
    q, k, v = (t.reshape(b * n, d) for t in (Q, K, V))
    out = torch.empty_like(q)
    for i in range(b * n):
        lo, hi = max(0, i - window), i + window + 1
        p = torch.softmax(k[lo:hi] @ q[i] / math.sqrt(d), 0)
        out[i] = p @ v[lo:hi]
    return out.view(b, n, d)
