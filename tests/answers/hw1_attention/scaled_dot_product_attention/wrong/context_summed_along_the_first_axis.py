# named: attention-context-summed-over-queries
def scaled_dot_product_attention(Q, K, V):
    w = softmax(Q @ K.T / np.sqrt(K.shape[1]))
    context = (w[:, :, None] * V[None]).sum(axis=0)
    return w, context
