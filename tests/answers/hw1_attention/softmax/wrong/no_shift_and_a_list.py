# named: softmax-no-shift, softmax-list-of-rows
# exponentials as they are, in a list at the end
def softmax(x):
    e = np.exp(x)
    return list(e / e.sum(axis=-1, keepdims=True))
