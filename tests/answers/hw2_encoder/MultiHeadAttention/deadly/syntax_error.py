# a bracket is missing
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__(
        self.W_Q = nn.Linear(d_model, d_model)
