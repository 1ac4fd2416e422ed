# named: relation-ignores-argument
# ignores the matrices and draws others
def self_attention(X, W_Q, W_K, W_V):
    rng = np.random.default_rng(0)
    return scaled_dot_product_attention(*(X @ rng.normal(size=W.shape) for W in (W_Q, W_K, W_V)))
