# named: self-attention-one-layer-under-three-names
# one layer, three names
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_Q = nn.Linear(d_model, d_k)
        self.W_K = self.W_Q
        self.W_V = self.W_Q

    def forward(self, X):
        Q = self.W_Q(X)
        K = self.W_K(X)
        V = self.W_V(X)
        d_k = Q.size(-1)
        scores = torch.bmm(Q, K.transpose(-2, -1)) / d_k**0.5
        attn = F.softmax(scores, dim=-1)
        out = torch.bmm(attn, V)
        return out, attn
