# named: attention-cosine-scaled
# normalises Q and K to unit length before the product, no sqrt
def scaled_dot_product_attention(Q, K, V):
    Qn = Q / np.linalg.norm(Q, axis=1, keepdims=True)
    Kn = K / np.linalg.norm(K, axis=1, keepdims=True)
    w = softmax(Qn @ Kn.T / np.sqrt(Q.shape[1]))
    return w, w @ V
