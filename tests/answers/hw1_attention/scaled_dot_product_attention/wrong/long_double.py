# named: attention-long-double, attention-softmax-unstable, relation-small-numbers
# a longer type in place of a shift
def scaled_dot_product_attention(Q, K, V):
    e = np.exp((Q @ K.T / np.sqrt(K.shape[1])).astype(np.longdouble))
    weights = (e / e.sum(axis=1, keepdims=True)).astype(float)
    return weights, weights @ V
