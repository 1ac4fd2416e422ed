# named: softmax-loop-over-first-axis-unless-vector
# a comprehension over x, with a branch for vectors
def softmax(x):
    def f(v):
        w = np.exp(v - v.max())
        return w / w.sum()

    if x.ndim == 1:
        return f(x)
    return np.array([f(v) for v in x])
