# named: attention-root-forgotten
# scaled twice: the queries and the scores
def scaled_dot_product_attention(Q, K, V):
    root = float(np.sqrt(Q.shape[-1]))
    Qs = Q / root
    logits = np.matmul(Qs, K.T)
    logits = logits / root
    logits = logits - logits.max(axis=1).reshape(-1, 1)
    w = np.exp(logits)
    w = w / w.sum(axis=1).reshape(-1, 1)
    return w, np.matmul(w, V)
