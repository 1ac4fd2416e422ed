# percentiles, from the middle outwards
def interval(means, share):
    return np.percentile(means, [50 - 50 * share, 50 + 50 * share])
