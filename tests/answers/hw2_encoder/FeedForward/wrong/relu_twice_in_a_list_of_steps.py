# named: feed-forward-relu-twice
# ReLU after the second layer too, Sequential style
class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.steps = [self.linear1, nn.ReLU(), self.linear2, nn.ReLU()]

    def forward(self, x):
        for step in self.steps:
            x = step(x)
        return x
