# named: self-attention-contexts-summed
# context summed to one vector
def self_attention(X, W_Q, W_K, W_V):
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    w = softmax(Q @ K.T / np.sqrt(K.shape[1]))
    context = (w @ V).sum(axis=0)
    return w, context
