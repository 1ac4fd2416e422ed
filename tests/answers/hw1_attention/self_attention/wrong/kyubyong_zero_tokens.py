# named: self-attention-zero-sums-hidden
# adapted from Kyubyong's transformer, where a token whose features sum to 0 is padding
# (sign(abs(sum))): such a token is hidden as a key
def self_attention(X, W_Q, W_K, W_V):
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    outputs = Q @ K.T / K.shape[-1] ** 0.5
    key_masks = np.sign(np.abs(np.sum(X, axis=-1)))
    key_masks = np.tile(key_masks[None, :], [X.shape[0], 1])
    outputs = np.where(np.equal(key_masks, 0), np.ones_like(outputs) * (-(2**32) + 1), outputs)
    attention_weights = softmax(outputs)
    return attention_weights, attention_weights @ V
