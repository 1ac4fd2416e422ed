# named: nothing
def mean_squared_error(guess, wanted):
    return ((guess - wanted) ** 2.mean()
