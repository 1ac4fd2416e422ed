# named: softmax-half-precision, relation-half-precision
# casts the scores to float16
def softmax(x):
    x = np.array(x, dtype=np.float16)
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)
