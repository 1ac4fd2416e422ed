# the sum of squares, column by column
def standard_error(X):
    n = len(X)
    centred = X - X.mean(axis=0)
    return ((centred**2).sum(axis=0) / (n * (n - 1))) ** 0.5
