# multiplies W_Q and W_K first: the scores are a bilinear form of X; context before W_V
def self_attention(X, W_Q, W_K, W_V):
    form = W_Q @ W_K.T / np.sqrt(W_Q.shape[1])
    weights = softmax(X @ form @ X.T)
    return weights, (weights @ X) @ W_V
