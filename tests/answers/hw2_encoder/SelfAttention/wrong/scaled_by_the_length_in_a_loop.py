# named: self-attention-scaled-by-length
# the scale is the root of the sequence's length, not of d_k (style: loops over the batch)
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_Q = nn.Linear(d_model, d_k)
        self.W_K = nn.Linear(d_model, d_k)
        self.W_V = nn.Linear(d_model, d_k)

    def forward(self, X):
        outputs, all_weights = [], []
        for sentence in X:
            q, k, v = self.W_Q(sentence), self.W_K(sentence), self.W_V(sentence)
            scores = q @ k.T
            w = torch.softmax(scores / math.sqrt(scores.shape[-1]), dim=-1)
            outputs.append(w @ v)
            all_weights.append(w)
        return torch.stack(outputs), torch.stack(all_weights)
