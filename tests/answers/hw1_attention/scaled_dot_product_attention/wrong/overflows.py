# named: attention-softmax-unstable, relation-small-numbers
# its own softmax without a shift
def scaled_dot_product_attention(Q, K, V):
    e = np.exp(Q @ K.T / np.sqrt(K.shape[-1]))
    weights = e / e.sum(axis=-1, keepdims=True)
    return weights, weights @ V
