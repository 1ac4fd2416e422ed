# named: attention-as-many-keys-as-queries
# loop over range(n) for the keys too
def scaled_dot_product_attention(Q, K, V):
    n = len(Q)
    scores = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            scores[i, j] = np.dot(Q[i], K[j])
    scores /= np.sqrt(Q.shape[1])
    w = softmax(scores)
    return w, w.dot(V)
