# named: softmax-whole-array
# one maximum and one sum over the whole array
def softmax(x):
    e = np.exp(x - np.max(x))
    return e / e.sum()
