# named: attention-order-swapped, attention-not-scaled
# context first and weights second, and never scaled
def scaled_dot_product_attention(Q, K, V):
    attn = softmax(Q @ K.T)
    out = attn @ V
    return out, attn
