# named: softmax-no-exponential-but-a-shift
def softmax(x):
    y = x - x.min(axis=-1, keepdims=True)
    return y / y.sum(axis=-1, keepdims=True)
