def scaled_dot_product_attention(Q, K, V):
    def one(q):
        s = [float(np.dot(q, k)) / len(q) ** 0.5 for k in K]
        top = max(s)
        e = [np.exp(t - top) for t in s]
        return [t / sum(e) for t in e]

    attention_weights = np.array([*map(one, Q)])
    context = np.array([sum(w * v for w, v in zip(row, V)) for row in attention_weights])
    return attention_weights, context
