# the fourth root on either side, log-sum-exp, and a frozen dataclass that unpacks
import math

from scipy.special import logsumexp


def scaled_dot_product_attention(Q, K, V):
    root = math.pow(K.shape[1], 1 / 4)
    logits = np.matmul(Q / root, np.transpose(K / root))
    weights = np.exp(logits - logsumexp(logits, axis=1, keepdims=True))
    return tuple(map(np.asarray, (weights, np.tensordot(weights, V, axes=([1], [0])))))
