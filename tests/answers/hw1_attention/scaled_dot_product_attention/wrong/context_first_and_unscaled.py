# named: attention-order-swapped, attention-not-scaled
# not scaled and (context, weights)
def scaled_dot_product_attention(Q, K, V):
    weights = softmax(Q.dot(K.T))
    output = weights.dot(V)
    return output, weights
