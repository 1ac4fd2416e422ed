# named: attention-not-scaled
# no division at all
def scaled_dot_product_attention(Q, K, V):
    weights = softmax(Q @ K.T)
    return weights, weights @ V
