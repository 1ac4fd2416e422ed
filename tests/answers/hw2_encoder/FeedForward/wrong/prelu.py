# named: feed-forward-prelu
# PReLU for ReLU
class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.act = nn.PReLU()

    def forward(self, x):
        return self.linear2(self.act(self.linear1(x)))
