# named: attention-softmax-over-queries
# own softmax over axis 0 with keepdims
def scaled_dot_product_attention(Q, K, V):
    def my_softmax(z):
        z = np.exp(z - z.max(axis=0, keepdims=True))
        return z / z.sum(axis=0, keepdims=True)

    logits = Q @ K.T * (1 / np.sqrt(Q.shape[-1]))
    p = my_softmax(logits)
    return p, p @ V
