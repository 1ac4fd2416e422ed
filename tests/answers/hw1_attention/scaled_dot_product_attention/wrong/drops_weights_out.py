# named: relation-not-repeatable
# dropout on the weights, as in a Transformer that trains
def scaled_dot_product_attention(Q, K, V):
    weights = softmax(Q @ K.T / np.sqrt(K.shape[-1]))
    weights = weights * (np.random.rand(*weights.shape) > 0.1) / 0.9
    return weights, weights @ V
