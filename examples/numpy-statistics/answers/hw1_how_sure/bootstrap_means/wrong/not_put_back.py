# named: bootstrap-means-not-put-back
def bootstrap_means(x, repeats, rng):
    means = np.empty(repeats)
    for i in range(repeats):
        means[i] = np.mean(rng.permutation(x))
    return means
