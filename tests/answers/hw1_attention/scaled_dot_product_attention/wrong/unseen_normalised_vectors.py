# named: attention-cosine-scaled
# what: cosine similarity in place of dot product (queries and keys normalised), and divided by sqrt d_k
def scaled_dot_product_attention(Q, K, V):
    qn = Q / np.linalg.norm(Q, axis=1, keepdims=True)
    kn = K / np.linalg.norm(K, axis=1, keepdims=True)
    w = softmax(qn @ kn.T / np.sqrt(Q.shape[1]))
    return w, w @ V
