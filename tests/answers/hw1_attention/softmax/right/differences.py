# 1 / sum of e to the differences: no exponential is divided by another
def softmax(x):
    finite = np.where(np.isneginf(x), -1e300, x)
    differences = finite[..., None, :] - finite[..., :, None]
    with np.errstate(over="ignore"):
        shares = 1 / np.exp(differences).sum(axis=-1)
    return np.where(np.isneginf(x), 0.0, shares)
