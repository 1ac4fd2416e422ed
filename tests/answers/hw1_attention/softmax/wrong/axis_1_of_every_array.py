# named: softmax-second-axis-beyond-vectors
# axis=1 whatever the rank, with a branch for vectors
def softmax(x):
    x = np.array(x, dtype=np.float64)
    if len(x.shape) == 1:
        return softmax(x[None])[0]
    m = np.amax(x, axis=1, keepdims=True)
    out = np.exp(x - m)
    out = out / np.expand_dims(out.sum(axis=1), 1)
    return out
