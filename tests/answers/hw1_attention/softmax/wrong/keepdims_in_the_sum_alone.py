# named: softmax-keepdims-lost-in-the-maximum
# keepdims lost in the max
def softmax(x):
    biggest = np.max(x, axis=-1)
    exps = np.exp(x - biggest)
    return exps / np.sum(exps, axis=-1, keepdims=True)
