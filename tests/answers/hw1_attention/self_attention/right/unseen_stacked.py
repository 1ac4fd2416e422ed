# queries and keys in one einsum
def self_attention(X, W_Q, W_K, W_V):
    Q, K = np.einsum("nd,pdk->pnk", X, np.array([W_Q, W_K]))
    w, c = scaled_dot_product_attention(Q=Q, K=K, V=np.dot(X, W_V))
    return (w, c)
