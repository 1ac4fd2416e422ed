# one vector in plain sight; an array of more axes calls itself for each part
def softmax(x):
    if x.ndim > 1:
        return np.array([softmax(part) for part in x])
    e = np.exp(x - max(x))
    return e / sum(e)
