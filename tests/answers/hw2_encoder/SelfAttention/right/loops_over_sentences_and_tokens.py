# a loop over sentences and one over tokens, results stacked
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.d_k = d_k
        for name in ("W_Q", "W_K", "W_V"):
            setattr(self, name, nn.Linear(d_model, d_k))

    def attend(self, query, keys, values):
        weights = F.softmax(keys @ query / np.sqrt(self.d_k), dim=0)
        return weights @ values, weights

    def forward(self, X):
        outputs, all_weights = [], []
        for sentence in X:
            keys, values = self.W_K(sentence), self.W_V(sentence)
            pairs = [self.attend(self.W_Q(token), keys, values) for token in sentence]
            outputs.append(torch.stack([output for output, _ in pairs]))
            all_weights.append(torch.stack([weights for _, weights in pairs]))
        return torch.stack(outputs), torch.stack(all_weights)
