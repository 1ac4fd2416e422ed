# named: attention-root-forgotten
# what: scale applied twice, to Q and to K
def scaled_dot_product_attention(Q, K, V):
    r = np.sqrt(Q.shape[-1])
    w = softmax((Q / r) @ (K / r).transpose())
    context = sum(w[:, j, None] * V[j] for j in range(len(V)))
    return w, context
