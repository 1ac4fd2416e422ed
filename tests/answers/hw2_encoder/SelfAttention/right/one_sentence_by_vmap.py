# written for one sentence, lifted to the batch by vmap; returns a named tuple
from collections import namedtuple

Attended = namedtuple("Attended", "output weights")


class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_Q = nn.Linear(d_model, d_k)
        self.W_K = nn.Linear(d_model, d_k)
        self.W_V = nn.Linear(d_model, d_k)

    def one_sentence(self, Q, K, V):
        weights = torch.softmax(Q @ K.T / len(Q[0]) ** 0.5, dim=1)
        return weights @ V, weights

    def forward(self, X):
        return Attended(*torch.vmap(self.one_sentence)(self.W_Q(X), self.W_K(X), self.W_V(X)))
