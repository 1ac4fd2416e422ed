# named: attention-context-of-exponentials
# what: the context is made of exponentials that nobody divided, the weights are right
def scaled_dot_product_attention(Q, K, V):
    scores = Q @ K.T / Q.shape[-1] ** 0.5
    e = np.exp(scores - scores.max(-1, keepdims=True))
    context = e @ V
    return e / e.sum(-1, keepdims=True), context
