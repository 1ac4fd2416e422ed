# averages with unnormalised weights first and divides the context afterwards; a named tuple
from collections import namedtuple

Attention = namedtuple("Attention", "attention_weights context")


def scaled_dot_product_attention(Q, K, V):
    scores = np.inner(Q, K) / np.sqrt(Q.shape[1])
    powers = np.exp(scores - scores.max(-1, keepdims=True))
    total = powers.sum(-1, keepdims=True)
    return Attention(powers / total, powers @ V / total)
