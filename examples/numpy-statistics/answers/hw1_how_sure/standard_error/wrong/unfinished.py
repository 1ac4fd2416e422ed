# named: nothing
def standard_error(X):
    return X.std(axis=0, ddof=1) / np.sqrt(len(X)
