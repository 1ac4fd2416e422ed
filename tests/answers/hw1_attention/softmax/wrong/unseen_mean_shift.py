# named: softmax-second-axis-beyond-vectors, softmax-shift-by-finite-mean
# what: shifted by the mean in place of the maximum; axis 1 fixed
def softmax(x):
    ax = 1 if x.ndim > 1 else 0
    m = np.mean(np.where(np.isfinite(x), x, 0), axis=ax, keepdims=True)
    e = np.exp(x - m)
    return e / np.sum(e, axis=ax, keepdims=True)
