import numpy as np


def own_attention(Q, K, V):
    """The attention that the model was trained with: readers will write one themselves."""
    scores = Q @ K.T / np.sqrt(K.shape[-1])
    shares = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = shares / shares.sum(axis=-1, keepdims=True)
    return weights, weights @ V


def own_shares(scores, temperature=1.0):
    """The shares of tokens by their scores."""
    shares = np.exp((scores - scores.max()) / temperature)
    return shares / shares.sum()


def own_position(place, d_model):
    """The vector (d_model,) of a place: hw2's readers will write this."""
    angles = place / 10_000 ** (np.arange(0, d_model, 2) / d_model)
    return np.stack([np.sin(angles), np.cos(angles)], axis=1).ravel()
