# named: self-attention-keys-from-w-q
# key uses W_Q
class SelfAttention(nn.Module):
    def __init__(self, d_model: int, d_k: int):
        super().__init__()
        self.W_Q = nn.Linear(d_model, d_k)
        self.W_K = nn.Linear(d_model, d_k)
        self.W_V = nn.Linear(d_model, d_k)
        self.d_k = d_k

    def forward(self, X: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        query = self.W_Q(X)
        key = self.W_Q(X)
        value = self.W_V(X)
        scores = torch.matmul(query, key.transpose(-2, -1)) / torch.sqrt(
            torch.tensor(self.d_k, dtype=torch.float32)
        )
        weights = torch.softmax(scores, dim=-1)
        return torch.matmul(weights, value), weights
