# named: attention-scale-number-of-queries
# divides by sqrt(n)
def scaled_dot_product_attention(Q, K, V):
    scores = np.einsum("qd,kd->qk", Q, K) / np.sqrt(len(Q))
    attention_weights = softmax(scores)
    return attention_weights, np.einsum("qk,kv->qv", attention_weights, V)
