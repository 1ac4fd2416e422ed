# named: mean-squared-error-sum
def mean_squared_error(guess, wanted):
    return torch.sum(torch.square(wanted - guess))
