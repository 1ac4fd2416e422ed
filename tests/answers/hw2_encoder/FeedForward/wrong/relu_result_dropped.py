# named: feed-forward-no-relu
# F.relu(h) not assigned
class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)

    def forward(self, x):
        hidden = self.linear1(x)
        F.relu(hidden)
        return self.linear2(hidden)
