# named: attention-queries-and-keys-exchanged
# K Qᵀ for Q Kᵀ
def scaled_dot_product_attention(Q, K, V):
    weights = softmax(K @ Q.T / np.sqrt(K.shape[-1]))
    return weights, weights @ V
