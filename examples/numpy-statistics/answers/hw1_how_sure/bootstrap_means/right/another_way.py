# one resample after the other, by their positions
def bootstrap_means(x, repeats, rng):
    means = []
    for _ in range(repeats):
        positions = rng.integers(len(x), size=len(x))
        means.append(x[positions].mean())
    return np.array(means)
