# one over the sum of exponentials of differences
# 1 / sum of exp of differences
def softmax(x):
    with np.errstate(over="ignore", invalid="ignore"):
        d = x[..., None, :] - x[..., :, None]
        d = np.where(np.isneginf(x)[..., :, None], np.inf, d)
        d = np.where(np.isneginf(x)[..., None, :], -np.inf, d)
        d = np.where(np.isneginf(x)[..., :, None], np.inf, d)
        return 1 / np.exp(d).sum(-1)
