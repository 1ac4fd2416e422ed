# a broadcast too many: an array of terabytes
def scaled_dot_product_attention(Q, K, V):
    differences = np.repeat(Q[:, None, None, :], 10**9, axis=2)
    return differences.sum(), V
