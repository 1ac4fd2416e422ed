# every key counts alike
def scaled_dot_product_attention(Q, K, V):
    weights = np.full((len(Q), len(K)), 1 / len(K))
    return weights, weights @ V
