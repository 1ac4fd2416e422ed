# named: attention-context-of-keys, attention-not-scaled
# what: no scale, and the context averages the keys
def scaled_dot_product_attention(Q, K, V):
    attention_weights = softmax(np.dot(Q, K.T))
    return attention_weights, np.dot(attention_weights, K)
