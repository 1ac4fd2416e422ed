# named: self-attention-weights-applied-twice
# the context is computed a second time with X's own rows through W_V of the averaged query: weights are applied twice
def self_attention(X, W_Q, W_K, W_V):
    X = np.atleast_2d(X)
    Q, K, V = X.dot(W_Q), X.dot(W_K), X.dot(W_V)
    attention_weights, context = scaled_dot_product_attention(Q, K, V)
    context = attention_weights @ context
    return attention_weights, context
