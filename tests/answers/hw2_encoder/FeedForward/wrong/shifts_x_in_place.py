# named: feed-forward-changes-its-input
# x += 1e-3, to be on the safe side
class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)

    def forward(self, x):
        x += 1e-3
        return self.linear2(F.relu(self.linear1(x)))
