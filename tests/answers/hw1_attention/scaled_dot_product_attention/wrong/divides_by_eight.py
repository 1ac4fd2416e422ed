# named: attention-scale-of-the-paper
# the paper's √64
def scaled_dot_product_attention(Q, K, V):
    weights = softmax(Q @ K.T / 8)
    return weights, weights @ V
