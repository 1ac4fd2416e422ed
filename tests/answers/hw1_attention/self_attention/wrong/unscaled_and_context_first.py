# named: self-attention-order-swapped, self-attention-not-scaled
# V = Q-projected? V = (X@W_Q) no: returns (context, weights) and no scale
def self_attention(X, W_Q, W_K, W_V):
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    attention_weights = softmax(Q @ K.T)
    context = attention_weights @ V
    return context, attention_weights
