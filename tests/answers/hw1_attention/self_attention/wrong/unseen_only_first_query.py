# named: self-attention-keys-from-w-q
# what: keys from W_Q too (W_K unused)
def self_attention(X, W_Q, W_K, W_V):
    gram = (X @ W_Q) @ (X @ W_Q).T
    weights = softmax(gram / np.sqrt(W_K.shape[-1]))
    context = np.zeros((X.shape[0], W_V.shape[1]))
    for i, row in enumerate(weights):
        for j, share in enumerate(row):
            context[i] += share * (X[j] @ W_V)
    return weights, context
