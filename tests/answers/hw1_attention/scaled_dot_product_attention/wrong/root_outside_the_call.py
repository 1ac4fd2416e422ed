# named: attention-scaled-after-softmax
# weights divided by sqrt(d_k) after softmax (precedence)
def scaled_dot_product_attention(Q, K, V):
    attention_weights = softmax(Q @ K.T) / np.sqrt(K.shape[-1])
    context = attention_weights @ V
    return attention_weights, context
