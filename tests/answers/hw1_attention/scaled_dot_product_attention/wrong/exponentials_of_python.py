# named: crash-overflow
def scaled_dot_product_attention(Q, K, V):
    import math

    d_k = K.shape[1]
    all_weights = []
    for q in Q:
        exps = [math.exp(float(q @ k) / math.sqrt(d_k)) for k in K]
        total = sum(exps)
        all_weights.append([e / total for e in exps])
    attention_weights = np.array(all_weights)
    return attention_weights, attention_weights @ V
