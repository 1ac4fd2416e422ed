# named: nothing
# one array side by side
def scaled_dot_product_attention(Q, K, V):
    w = softmax(Q @ K.T / np.sqrt(Q.shape[-1]))
    return np.concatenate([w, w @ V], axis=1)
