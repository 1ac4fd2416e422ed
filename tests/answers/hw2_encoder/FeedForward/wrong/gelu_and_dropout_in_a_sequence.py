# named: feed-forward-gelu, feed-forward-dropout
class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.linear1, self.linear2 = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.middle = nn.Sequential(nn.GELU(), nn.Dropout(0.1))

    def forward(self, x):
        return self.linear2(self.middle(self.linear1(x)))
