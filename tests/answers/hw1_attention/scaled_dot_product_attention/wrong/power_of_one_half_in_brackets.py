# named: attention-scale-half-of-d-k
# a power binds tighter than a division
def scaled_dot_product_attention(Q, K, V):
    d_k = K.shape[-1]
    weights = softmax(Q @ K.T / (d_k**1 / 2))
    return weights, weights @ V
