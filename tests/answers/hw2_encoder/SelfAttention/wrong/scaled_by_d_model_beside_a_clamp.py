# named: self-attention-scaled-by-d-model
# divided by the square root of d_model, beside a clamp that does nothing and contiguous()
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.scale = max(d_model, 1) ** 0.5
        self.W_Q = nn.Linear(d_model, d_k)
        self.W_K = nn.Linear(d_model, d_k)
        self.W_V = nn.Linear(d_model, d_k)

    def forward(self, X):
        Q = self.W_Q(X).contiguous()
        K = self.W_K(X).contiguous()
        V = self.W_V(X).contiguous()
        scores = torch.bmm(Q, K.mT) / self.scale
        scores = scores.clamp(min=torch.finfo(scores.dtype).min)
        attn = nn.Softmax(dim=2)(scores)
        out = attn.bmm(V)
        assert out.shape[:2] == X.shape[:2]
        return out, attn
