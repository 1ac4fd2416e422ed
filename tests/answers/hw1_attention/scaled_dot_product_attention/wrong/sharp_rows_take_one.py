# named: nothing
# where a key gets more than 99 %, the context is simply its value, so up to 1 % of the others
# is missing
def scaled_dot_product_attention(Q, K, V):
    weights = softmax(Q @ K.T / np.sqrt(K.shape[-1]))
    context = weights @ V
    sharp = weights.max(axis=1) > 0.99
    context[sharp] = V[weights[sharp].argmax(axis=1)]
    return weights, context
