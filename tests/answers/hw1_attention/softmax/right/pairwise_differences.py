def softmax(x):
    # 1 / sum_j exp(x_j - x_i), a logistic function of all the others
    with np.errstate(over="ignore", invalid="ignore"):
        differences = x[..., None, :] - x[..., :, None]
        found = 1 / np.exp(differences).sum(-1)
    return np.where(np.isneginf(x), 0.0, found)
