# named: attention-root-forgotten
# both Q and K divided by sqrt(d_k): divides by d_k
def scaled_dot_product_attention(Q, K, V):
    root = Q.shape[-1] ** 0.5
    Q_scaled, K_scaled = Q / root, K / root
    attention_weights = softmax(Q_scaled @ K_scaled.T)
    context = attention_weights @ V
    return attention_weights, context
