# named: self-attention-scale-d-model
# what: scaled by the root of d_model, by correcting before calling the earlier function
def self_attention(X, W_Q, W_K, W_V):
    Q, K, V = (X @ W for W in (W_Q, W_K, W_V))
    ratio = np.sqrt(W_Q.shape[1] / X.shape[1])
    return scaled_dot_product_attention(Q * ratio, K, V)
