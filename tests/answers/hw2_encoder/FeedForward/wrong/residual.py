# named: feed-forward-residual-inside
# a residual inside, and ReLU by maximum
class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)

    def forward(self, x):
        h = torch.maximum(self.linear1(x), torch.tensor(0.0))
        return x + self.linear2(h)
