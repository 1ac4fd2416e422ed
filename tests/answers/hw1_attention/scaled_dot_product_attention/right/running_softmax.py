# one key after the other with a running maximum and sum, as FlashAttention does; weights at the end
def scaled_dot_product_attention(Q, K, V):
    n, d_v = len(Q), V.shape[1]
    top, total, mixed = np.full((n, 1), -np.inf), np.zeros((n, 1)), np.zeros((n, d_v))
    scores = []
    for key, value in zip(K, V):
        score = (Q * key).sum(axis=1, keepdims=True) / np.sqrt(len(key))
        higher = np.maximum(top, score)
        total = total * np.exp(top - higher) + np.exp(score - higher)
        mixed = mixed * np.exp(top - higher) + np.exp(score - higher) * value
        top = higher
        scores.append(score)
    return np.exp(np.hstack(scores) - top) / total, mixed / total
