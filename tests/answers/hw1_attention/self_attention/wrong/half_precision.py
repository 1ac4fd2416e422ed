# named: self-attention-half-precision, relation-half-precision
# float16 throughout
def self_attention(X, W_Q, W_K, W_V):
    X, W_Q, W_K, W_V = [a.astype("float16") for a in (X, W_Q, W_K, W_V)]
    scores = (X @ W_Q) @ (X @ W_K).T / np.float16(np.sqrt(W_Q.shape[1]))
    weights = softmax(scores)
    return weights, weights @ (X @ W_V)
