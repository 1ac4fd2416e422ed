# named: attention-variables-of-another-cell, crash-misspelt
# uses variables of another cell by mistake
def scaled_dot_product_attention(Q, K, V):
    weights = softmax(queries @ keys.T / np.sqrt(keys.shape[-1]))
    return weights, weights @ values
