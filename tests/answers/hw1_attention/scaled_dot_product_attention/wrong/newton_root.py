# named: nothing
# the root is found by five steps of Newton's method from d_k / 2, which is exact for 4 and 9
# but not there yet for d_k of about 100 and more
def scaled_dot_product_attention(Q, K, V):
    d_k = Q.shape[1]
    root = d_k / 2
    for _ in range(5):
        root = (root + d_k / root) / 2
    attention_weights = softmax(Q @ K.T / root)
    return attention_weights, attention_weights @ V
