# named: attention-zeros-hidden
# hides keys of zeros as if they were padding
def scaled_dot_product_attention(Q, K, V):
    scores = np.einsum("nd,md->nm", Q, K) * K.shape[-1] ** -0.5
    padding = ~np.any(K, axis=-1)
    scores[:, padding] = -1e9
    attention_weights = softmax(scores)
    return attention_weights, attention_weights @ V
