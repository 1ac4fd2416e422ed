# named: self-attention-not-scaled
# no scaling at all; beside a harmless subtraction of the maximum and a clamp
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.d_model = d_model
        self.d_k = d_k
        self.W_Q = nn.Linear(d_model, d_k)
        self.W_K = nn.Linear(d_model, d_k)
        self.W_V = nn.Linear(d_model, d_k)

    def forward(self, X):
        batch, seq, _ = X.size()
        Q = self.W_Q(X).view(batch, seq, self.d_k)
        K = self.W_K(X).view(batch, seq, self.d_k)
        V = self.W_V(X).view(batch, seq, self.d_k)
        energy = torch.bmm(Q, K.permute(0, 2, 1))
        energy = energy - energy.max(dim=-1, keepdim=True).values
        e = energy.exp()
        attention = e / e.sum(dim=-1, keepdim=True).clamp_min(1e-12)
        return torch.bmm(attention, V), attention
