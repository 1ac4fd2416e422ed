# named: standard-error-no-root
def standard_error(X):
    n = len(X)
    return np.array([np.std(column, ddof=1) / n for column in X.T])
