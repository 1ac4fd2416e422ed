# the batch as one long sentence, in which sentences hide each other
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_Q = nn.Linear(d_model, d_k)
        self.W_K = nn.Linear(d_model, d_k)
        self.W_V = nn.Linear(d_model, d_k)

    def forward(self, X):
        batch, seq, _ = X.shape
        tokens = X.reshape(batch * seq, -1)
        scores = self.W_Q(tokens) @ self.W_K(tokens).T / math.sqrt(self.W_K.out_features)
        sentence = torch.arange(batch).repeat_interleave(seq)
        scores = torch.where(sentence[:, None] == sentence, scores, -math.inf)
        weights = torch.softmax(scores, dim=1)
        own = weights.view(batch, seq, batch, seq).diagonal(dim1=0, dim2=2).permute(2, 0, 1)
        return (weights @ self.W_V(tokens)).view(batch, seq, -1), own
