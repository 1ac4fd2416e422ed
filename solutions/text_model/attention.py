import numpy as np


def own_attention(Q, K, V):
    """The attention that the model was trained with; packed, for readers will write it themselves."""
    scores = Q @ K.T / np.sqrt(K.shape[-1])
    shares = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = shares / shares.sum(axis=-1, keepdims=True)
    return weights, weights @ V
