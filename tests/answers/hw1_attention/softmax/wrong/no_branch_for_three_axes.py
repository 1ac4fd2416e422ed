# named: softmax-beyond-matrices-nothing
# returns in two branches only
def softmax(x):
    if len(x.shape) == 1:
        e = np.exp(x - x.max())
        return e / e.sum()
    elif len(x.shape) == 2:
        e = np.exp(x - x.max(axis=1)[:, None])
        return e / e.sum(axis=1)[:, None]
