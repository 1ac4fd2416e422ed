# named: feed-forward-relu-is-a-layer
# nn.ReLU(hidden)
class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)

    def forward(self, x):
        return self.linear2(nn.ReLU(self.linear1(x)))
