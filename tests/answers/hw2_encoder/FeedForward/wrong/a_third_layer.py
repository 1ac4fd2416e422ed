# named: feed-forward-third-layer
# one more hidden layer
class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.hidden = nn.Linear(d_ff, d_ff)

    def forward(self, x):
        h = F.relu(self.linear1(x))
        h = F.relu(self.hidden(h))
        return self.linear2(h)
