# named: attention-winner-takes-all
# what: hard attention, one-hot of the greatest score
def scaled_dot_product_attention(Q, K, V):
    s = Q @ K.T / np.sqrt(K.shape[-1])
    w = np.eye(K.shape[0])[s.argmax(axis=-1)]
    return w, w @ V
