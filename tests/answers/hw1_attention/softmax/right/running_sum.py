# one pass over each row, with a running maximum and sum
def softmax(x):
    rows = x.reshape(-1, x.shape[-1])
    out = np.empty(rows.shape)
    for r, row in enumerate(rows):
        m, s = -np.inf, 0.0
        for v in row:
            if v == -np.inf:
                continue
            bigger = max(m, v)
            s = s * np.exp(m - bigger) + np.exp(v - bigger)
            m = bigger
        out[r] = np.exp(row - m) / s
    return out.reshape(x.shape)
