# named: attention-distances
# minus distances
def scaled_dot_product_attention(Q, K, V):
    d = ((Q[:, None, :] - K[None]) ** 2).sum(-1)
    w = softmax(-d / np.sqrt(Q.shape[1]))
    return w, w @ V
