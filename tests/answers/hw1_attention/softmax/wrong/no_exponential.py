# named: softmax-no-exponential
# divides the scores themselves by their sum
def softmax(x):
    return x / x.sum(axis=-1, keepdims=True)
