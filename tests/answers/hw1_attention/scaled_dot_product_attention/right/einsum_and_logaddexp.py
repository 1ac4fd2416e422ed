# einsum, and the logarithm of the sum
def scaled_dot_product_attention(Q, K, V):
    scaled = Q * K.shape[1] ** -0.5
    logits = np.einsum("id,jd->ij", scaled, K)
    attention_weights = np.exp(logits - np.logaddexp.reduce(logits, axis=1)[:, None])
    return attention_weights, np.einsum("ij,jv->iv", attention_weights, V)
