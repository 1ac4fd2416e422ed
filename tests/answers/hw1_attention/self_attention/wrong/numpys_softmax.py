# named: crash-misspelt
# NumPy has no softmax
def self_attention(X, W_Q, W_K, W_V):
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    weights = np.softmax(Q @ K.T / np.sqrt(K.shape[1]), axis=1)
    return weights, weights @ V
