# named: softmax-base-two
# what: two to the power in place of e
def softmax(x):
    shifted = x - x.max(axis=-1)[..., None]
    e = np.exp2(shifted)
    return np.einsum("...n,...->...n", e, 1 / np.einsum("...n->...", e))
