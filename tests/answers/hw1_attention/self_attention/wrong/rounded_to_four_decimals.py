# named: relation-rounded
# rounds weights and context
def self_attention(X, W_Q, W_K, W_V):
    weights, context = scaled_dot_product_attention(X @ W_Q, X @ W_K, X @ W_V)
    return weights.round(4), context.round(4)
