# named: attention-scale-twice-d-k
# scores / d_k ** 1/2: divides by d_k, then by 2
def scaled_dot_product_attention(Q, K, V):
    scores = np.matmul(Q, K.T) / Q.shape[1] ** 1 / 2
    weights = softmax(scores)
    return weights, np.matmul(weights, V)
