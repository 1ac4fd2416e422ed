# a helper with the name of an earlier exercise, for matrices alone
def softmax(x, axis=-1):
    x = x - np.max(x, axis=axis, keepdims=True)
    return np.exp(x) / np.sum(np.exp(x), axis=axis, keepdims=True)


def scaled_dot_product_attention(Q, K, V):
    d_k = Q.shape[-1]
    attention_weights = softmax(np.dot(Q, K.T) / d_k**0.5, axis=1)
    return attention_weights, np.dot(attention_weights, V)
