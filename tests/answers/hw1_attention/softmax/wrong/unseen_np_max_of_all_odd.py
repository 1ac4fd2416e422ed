# named: softmax-one-shift-for-all
# what: one maximum for all rows
def softmax(x):
    top = max(float(v) for v in x.ravel())
    powers = np.power(np.e, x - top)
    return np.divide(powers, np.add.reduce(powers, axis=-1, keepdims=True))
