# an nn.Sequential that shares linear1 and linear2
class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.network = nn.Sequential(self.linear1, nn.ReLU(), self.linear2)

    def forward(self, x):
        return self.network(x)
