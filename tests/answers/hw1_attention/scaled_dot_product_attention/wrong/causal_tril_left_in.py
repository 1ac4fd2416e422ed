# named: attention-causal-mask
# a mask copied from elsewhere
def scaled_dot_product_attention(Q, K, V):
    scores = Q @ K.T / np.sqrt(Q.shape[-1])
    mask = np.tril(np.ones(scores.shape))
    scores = np.where(mask == 0, -np.inf, scores)
    w = softmax(scores)
    return w, w @ V
