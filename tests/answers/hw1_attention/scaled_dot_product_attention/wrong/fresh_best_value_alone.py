# named: attention-context-of-the-best
# context takes the value of the best key alone
def scaled_dot_product_attention(Q, K, V):
    weights = softmax(Q @ K.T / np.sqrt(Q.shape[-1]))
    best = weights.argmax(axis=-1)
    return weights, V[best]
