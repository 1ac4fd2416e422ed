# named: attention-scale-size-of-values
# what: divided by the root of V's width
def scaled_dot_product_attention(Q, K, V):
    Q = np.atleast_2d(Q)
    d = V.shape[-1]
    a = softmax(np.matmul(Q, np.swapaxes(K, 0, 1)) / np.sqrt(d))
    return (a, np.matmul(a, V))
