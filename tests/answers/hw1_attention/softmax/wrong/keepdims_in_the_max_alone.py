# named: softmax-keepdims-lost-in-the-sum
# keepdims lost in the sum
def softmax(x):
    biggest = np.max(x, axis=-1, keepdims=True)
    exps = np.exp(x - biggest)
    return exps / np.sum(exps, axis=-1)
