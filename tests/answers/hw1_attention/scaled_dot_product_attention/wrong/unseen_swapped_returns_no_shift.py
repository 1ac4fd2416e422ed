# named: attention-order-swapped, attention-softmax-unstable
# what: context first, and softmax without a shift
def scaled_dot_product_attention(Q, K, V):
    n, d = Q.shape
    out = np.zeros((n, V.shape[1]))
    att = np.zeros((n, K.shape[0]))
    for i in range(n):
        s = np.array([np.vdot(Q[i], k) for k in K]) / np.sqrt(d)
        p = np.exp(s)
        att[i] = p / p.sum()
        out[i] = att[i] @ V
    return out, att
