# named: attention-einsum-without-transpose
# einsum without the transpose
def scaled_dot_product_attention(Q, K, V):
    s = np.einsum("ij,jk->ik", Q, K) / np.sqrt(Q.shape[1])
    w = softmax(s)
    return w, w @ V
