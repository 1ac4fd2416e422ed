# named: attention-context-plain-mean
# the weights are right but not used
def scaled_dot_product_attention(Q, K, V):
    weights = softmax(Q @ K.T / np.sqrt(K.shape[-1]))
    context = np.repeat(V.mean(axis=0, keepdims=True), len(Q), axis=0)
    return weights, context
