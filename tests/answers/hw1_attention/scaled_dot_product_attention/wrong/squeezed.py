# named: attention-squeezed
# squeezes both results
def scaled_dot_product_attention(Q, K, V):
    weights = softmax(Q @ K.T / np.sqrt(K.shape[-1]))
    return weights.squeeze(), (weights @ V).squeeze()
