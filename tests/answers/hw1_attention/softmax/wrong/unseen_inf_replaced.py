# named: softmax-hidden-taken-for-zero
# what: -inf becomes 0 by nan_to_num
def softmax(x):
    x = np.nan_to_num(x, neginf=0.0)
    z = x - x.max(axis=-1, keepdims=True)
    e = np.exp(z)
    return e / e.sum(axis=-1, keepdims=True)
