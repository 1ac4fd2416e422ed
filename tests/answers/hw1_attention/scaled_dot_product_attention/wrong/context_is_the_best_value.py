# named: attention-context-of-the-best
# context takes the value of the largest weight
def scaled_dot_product_attention(Q, K, V):
    d_k = K.shape[1]
    attention_weights = softmax(Q @ K.T / np.sqrt(d_k))
    best = np.argmax(attention_weights, axis=1)  # the key each query found
    context = V[best]
    return attention_weights, context
