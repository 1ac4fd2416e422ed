# named: relation-other-axis
# right up to three axes; with four, shares are made along the third
def softmax(x):
    def of_matrix(m):
        e = np.exp(m - m.max(axis=1, keepdims=True))
        return e / e.sum(axis=1, keepdims=True)

    if x.ndim == 1:
        e = np.exp(x - x.max())
        return e / e.sum()
    if x.ndim == 2:
        return of_matrix(x)
    return np.stack([of_matrix(m) for m in x])
