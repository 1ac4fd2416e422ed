# named: feed-forward-residual-and-norm-inside
# ReLU on output too and a LayerNorm inside
class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.norm = nn.LayerNorm(d_model)

    def forward(self, x):
        return self.norm(x + self.linear2(F.relu(self.linear1(x))))
