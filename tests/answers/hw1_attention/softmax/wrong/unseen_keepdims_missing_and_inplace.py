# named: softmax-keepdims-lost-in-the-sum
# what: keepdims missing in the sum
def softmax(x):
    x = x - np.max(x, axis=-1, keepdims=True)
    x = np.exp(x)
    s = np.sum(x, axis=-1)
    return x / s
