# named: softmax-hidden-taken-for-zero
# -inf to -1e9 by nan_to_num (1.8e308?), entries not exactly 0 in all-low rows
def softmax(x):
    x = np.nan_to_num(x, neginf=0.0)
    z = x - x.max(axis=-1, keepdims=True)
    e = np.exp(z)
    return e / e.sum(axis=-1, keepdims=True)
