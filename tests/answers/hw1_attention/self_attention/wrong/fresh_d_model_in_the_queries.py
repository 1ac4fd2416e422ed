# named: self-attention-scale-d-model
# scaled by d_model, folded into the queries
def self_attention(X, W_Q, W_K, W_V):
    queries = X @ W_Q * X.shape[-1] ** -0.5
    weights = softmax(np.einsum("ik,jk->ij", queries, X @ W_K))
    return weights, np.einsum("ij,jv->iv", weights, X @ W_V)
