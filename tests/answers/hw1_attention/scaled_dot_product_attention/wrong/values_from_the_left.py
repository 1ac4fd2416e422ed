# named: attention-values-from-the-left, crash-shapes
# V @ weights
def scaled_dot_product_attention(Q, K, V):
    w = softmax(Q @ K.T / np.sqrt(Q.shape[1]))
    return w, V @ w
