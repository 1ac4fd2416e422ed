# named: attention-context-scaled-instead
# root taken off the context
def scaled_dot_product_attention(Q, K, V):
    w = softmax(Q @ K.T)
    context = w @ V / np.sqrt(K.shape[-1])
    return w, context
