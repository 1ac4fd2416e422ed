# named: relation-not-repeatable, relation-ignores-argument
# initialises the matrices inside
def self_attention(X, W_Q, W_K, W_V):
    d_model, d_k = W_Q.shape
    W_Q = np.random.randn(d_model, d_k)
    W_K = np.random.randn(d_model, d_k)
    W_V = np.random.randn(d_model, W_V.shape[1])
    return scaled_dot_product_attention(X @ W_Q, X @ W_K, X @ W_V)
