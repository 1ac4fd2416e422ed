# keys by queries first, softmax down the columns, transposed at the end
def scaled_dot_product_attention(Q, K, V):
    scores = (K @ Q.T) / np.sqrt(np.shape(Q)[1])
    e = np.exp(scores - scores.max(axis=0))
    columns = e / e.sum(axis=0)
    return columns.T, (V.T @ columns).T
