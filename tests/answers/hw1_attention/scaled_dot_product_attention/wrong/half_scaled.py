# named: attention-scale-of-one-side
# fourth root only on one side
def scaled_dot_product_attention(Q, K, V):
    d_k = Q.shape[-1]
    q = Q / d_k**0.25
    w = softmax(q @ K.T)
    return w, w @ V
