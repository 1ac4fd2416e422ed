# named: softmax-loop-over-first-axis-unless-vector, relation-factor, softmax-last-two-axes
# works for 2D and 1D only; 3-D normalises whole matrices
def softmax(x):
    if x.ndim == 1:
        e = np.exp(x - np.max(x))
        return e / np.sum(e)
    out = np.zeros(x.shape)
    for i, row in enumerate(x):
        e = np.exp(row - np.max(row))
        out[i] = e / np.sum(e)
    return out
