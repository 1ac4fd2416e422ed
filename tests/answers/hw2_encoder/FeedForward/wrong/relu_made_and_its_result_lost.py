# named: feed-forward-no-relu
# no ReLU: the activation is created but its result is not used
class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.linear1 = nn.Linear(d_model, d_ff)
        self.relu = nn.ReLU()
        self.linear2 = nn.Linear(d_ff, d_model)

    def forward(self, x):
        hidden = self.linear1(x)
        self.relu(hidden)
        return self.linear2(hidden)
