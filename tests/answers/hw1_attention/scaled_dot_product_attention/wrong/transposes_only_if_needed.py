# named: attention-keys-transposed-where-needed
# multiplies with K as it is where the sizes allow it
def scaled_dot_product_attention(Q, K, V):
    right = K if Q.shape[1] == K.shape[0] else K.T
    scores = Q.dot(right) / np.sqrt(Q.shape[1])
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    attention_weights = e / e.sum(axis=1, keepdims=True)
    return attention_weights, attention_weights.dot(V)
