# named: feed-forward-narrow-meets-wide
# x @ linear1.weight
class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)

    def forward(self, x):
        return (
            F.relu(x @ self.linear1.weight + self.linear1.bias) @ self.linear2.weight
            + self.linear2.bias
        )
