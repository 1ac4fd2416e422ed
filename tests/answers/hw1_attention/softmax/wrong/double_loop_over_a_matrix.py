# named: softmax-shape-read-as-a-matrix, crash-index
# loops over x.shape[0] and x.shape[1]
def softmax(x):
    out = np.zeros(x.shape)
    for i in range(x.shape[0]):
        row = x[i]
        total = 0
        for j in range(x.shape[1]):
            total += np.exp(row[j] - row.max())
        for j in range(x.shape[1]):
            out[i, j] = np.exp(row[j] - row.max()) / total
    return out
