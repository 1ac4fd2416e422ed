# named: attention-root-forgotten, attention-softmax-over-everything
# one sum for all, divided by d_k and not its root
def scaled_dot_product_attention(Q, K, V):
    d = K.shape[1]
    raw = Q.dot(K.T) / d
    e = np.exp(raw - raw.max())
    weights = e / e.sum()
    return weights, weights.dot(V)
