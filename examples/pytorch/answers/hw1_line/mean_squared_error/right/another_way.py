# the squared length, divided by how many numbers there are
def mean_squared_error(guess, wanted):
    difference = (guess - wanted).flatten()
    return difference.dot(difference) / difference.numel()
