# named: attention-winner-takes-all
# picks the best key alone
def scaled_dot_product_attention(Q, K, V):
    best = (Q @ K.T).argmax(axis=-1)
    return np.eye(len(K))[best], V[best]
