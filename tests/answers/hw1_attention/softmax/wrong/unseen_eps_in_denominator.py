# named: softmax-constant-added-1e-3
# what: 1e-3 added to the sum
def softmax(x):
    x = x.copy()
    shifted = x - np.max(x, axis=-1, keepdims=True)
    num = np.exp(shifted)
    den = num.sum(axis=-1, keepdims=True) + 1e-3
    assert den.shape[-1] == 1
    return num / den
