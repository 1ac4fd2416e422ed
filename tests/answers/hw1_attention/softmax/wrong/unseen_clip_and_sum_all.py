# named: softmax-only-below-800-clipped, softmax-sum-over-everything, softmax-whole-array
# what: one sum over all; clipped at 700 in place of a shift
def softmax(x):
    x = np.asarray(x, dtype=float)
    e = np.exp(np.clip(x, None, 700))
    total = 0.0
    for value in np.nditer(e):
        total += float(value)
    return e / total
