# flattens the leading axes and loops over rows, filling an array
def softmax(x):
    rows = x.reshape(-1, x.shape[-1])
    result = np.empty_like(rows)
    for i in range(rows.shape[0]):
        e = np.exp(rows[i] - rows[i].max())
        result[i] = e / e.sum()
    return result.reshape(x.shape)
