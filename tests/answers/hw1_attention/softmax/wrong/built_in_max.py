# named: softmax-vectors-only-by-max
# Python's max and sum: vectors alone
def softmax(x):
    exps = [np.exp(i - max(x)) for i in x]
    return np.array([j / sum(exps) for j in exps])
