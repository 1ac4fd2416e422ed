# named: softmax-input-changed, softmax-rounded
# the input is changed in place, and the result is rounded to three digits
def softmax(x):
    x -= x.max(axis=-1, keepdims=True)
    e = np.exp(x)
    return np.round(e / e.sum(axis=-1, keepdims=True), 3)
