# named: self-attention-output-alone
# only the output is returned
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.d_model = d_model
        self.d_k = d_k
        self.W_Q = nn.Linear(d_model, d_k)
        self.W_K = nn.Linear(d_model, d_k)
        self.W_V = nn.Linear(d_model, d_k)

    def forward(self, X):
        Q, K, V = self.W_Q(X), self.W_K(X), self.W_V(X)
        attn = torch.softmax((Q @ K.transpose(-2, -1)) / (self.d_k**0.5), dim=-1)
        out = attn @ V
        return out
