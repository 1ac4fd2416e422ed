# a class that keeps its matrices as float32, and a function around it
from scipy.special import log_softmax


class Head:
    def __init__(self, *matrices):
        self.W_Q, self.W_K, self.W_V = (m.astype("float32") for m in matrices)

    def forward(self, X):
        X = X.astype("float32")
        scores = (X @ self.W_Q) @ (X @ self.W_K).T / np.float32(self.W_Q.shape[1] ** 0.5)
        weights = np.exp(log_softmax(scores, axis=-1))
        return weights, weights @ (X @ self.W_V)


def self_attention(X, W_Q, W_K, W_V):
    return Head(W_Q, W_K, W_V).forward(X)
