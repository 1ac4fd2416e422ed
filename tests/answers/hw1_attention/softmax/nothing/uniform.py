# the same share for every score
def softmax(x):
    return np.full(x.shape, 1 / x.shape[-1])
