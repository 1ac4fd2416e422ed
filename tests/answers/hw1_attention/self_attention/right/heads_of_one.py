# a head axis that is there for one head only; np.matmul broadcasts
def self_attention(X, W_Q, W_K, W_V):
    q, k, v = (np.matmul(X, W[np.newaxis]) for W in (W_Q, W_K, W_V))
    scores = np.matmul(q, k.swapaxes(1, 2)) / np.sqrt(k.shape[2])
    weights = softmax(scores)
    return weights[0], np.matmul(weights, v)[0]
