# named: softmax-no-shift
# no maximum is subtracted; harmless copy, early return
def softmax(x):
    x = np.array(x, dtype=np.float64, copy=True)
    if x.size == 0:
        return x
    powers = np.power(np.e, x)
    totals = powers.sum(axis=-1)
    return powers / np.expand_dims(totals, -1)
