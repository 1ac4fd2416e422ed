# named: relation-half-precision, softmax-loop-over-first-axis, softmax-half-precision
# what: computed in float16, rows in a loop over the first axis only (3-D normalises a whole matrix)
def softmax(x):
    if x.ndim == 1:
        e = np.exp((x - x.max()).astype(np.float16))
        return (e / e.sum()).astype(float)
    out = np.empty_like(x)
    for i, row in enumerate(x):
        e = np.exp((row - row.max()).astype(np.float16))
        out[i] = e / e.sum()
    return out
