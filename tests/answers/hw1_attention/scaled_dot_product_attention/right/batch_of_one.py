# a batch axis in front, as PyTorch has it, taken off at the end; a mask that nobody gives
def scaled_dot_product_attention(Q, K, V, mask=None):
    Q, K, V = Q[None], K[None], V[None]
    scores = Q @ K.transpose(0, 2, 1) * (1 / np.sqrt(K.shape[-1]))
    if mask is not None:
        scores = np.where(mask, scores, -1e9)
    scores = scores - scores.max(axis=-1, keepdims=True)
    weights = np.exp(scores)
    weights /= weights.sum(axis=-1, keepdims=True)
    return weights[0], (weights @ V)[0]
