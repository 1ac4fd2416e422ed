# named: softmax-shift-above-the-line-only
# max subtracted in the numerator only, row loop
def softmax(x):
    flat = x.reshape(-1, x.shape[-1])
    out = np.empty_like(flat)
    for i, row in enumerate(flat):
        total = 0.0
        for v in row:
            total += np.exp(v)
        for j, v in enumerate(row):
            out[i, j] = np.exp(v - max(row)) / total
    return out.reshape(x.shape)
