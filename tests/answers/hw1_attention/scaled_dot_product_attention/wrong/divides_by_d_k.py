# named: attention-root-forgotten
# divides by d_k instead of its root
def scaled_dot_product_attention(Q, K, V):
    weights = softmax(Q @ K.T / K.shape[-1])
    return weights, weights @ V
