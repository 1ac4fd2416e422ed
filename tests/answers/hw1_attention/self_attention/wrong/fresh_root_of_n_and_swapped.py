# named: self-attention-order-swapped, self-attention-scale-number-of-tokens
# the root of the sentence's length, and the two results the other way round
def self_attention(X, W_Q, W_K, W_V):
    n = len(X)
    S = (X @ W_Q) @ (X @ W_K).T / n**0.5
    S = S - S.max(1, keepdims=True)
    P = np.exp(S) / np.exp(S).sum(1, keepdims=True)
    return P @ (X @ W_V), P
