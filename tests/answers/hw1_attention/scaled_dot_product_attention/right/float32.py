# float32 inside, SciPy's softmax
from scipy.special import softmax as scipy_softmax


def scaled_dot_product_attention(Q, K, V):
    Q, K, V = (np.asarray(a, dtype=np.float32) for a in (Q, K, V))
    weights = scipy_softmax(Q @ K.T / np.sqrt(np.float32(K.shape[1])), axis=1)
    return weights, weights @ V
