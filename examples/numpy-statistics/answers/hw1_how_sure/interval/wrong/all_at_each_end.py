# named: interval-all-at-each-end
def interval(means, share):
    low = np.quantile(means, 1 - share)
    high = np.quantile(means, share)
    return np.array([low, high])
