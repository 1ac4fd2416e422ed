# named: softmax-first-row-alone
# return inside the loop
def softmax(x):
    out = np.zeros_like(x)
    if x.ndim == 1:
        e = np.exp(x - x.max())
        return e / e.sum()
    for i in range(len(x)):
        out[i] = softmax(x[i])
        return out
