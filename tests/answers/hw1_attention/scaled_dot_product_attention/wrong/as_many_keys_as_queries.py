# named: attention-as-many-keys-as-queries, relation-equal-sizes
# loops over as many keys as queries
def scaled_dot_product_attention(Q, K, V):
    n, d = Q.shape
    s = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            s[i, j] = Q[i] @ K[j] / np.sqrt(d)
    w = softmax(s)
    return w, w @ V
