# named: nothing
# a token that occurs twice (equal rows of X) is hidden as a key after its first place, so that
# "each word counts once"
def self_attention(X, W_Q, W_K, W_V):
    first = np.sort(np.unique(X, axis=0, return_index=True)[1])
    hidden = np.full(len(X), -np.inf)
    hidden[first] = 0.0
    weights = softmax((X @ W_Q) @ (X @ W_K).T / np.sqrt(W_K.shape[1]) + hidden)
    return weights, weights @ (X @ W_V)
