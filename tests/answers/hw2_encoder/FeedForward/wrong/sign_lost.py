# named: relation-sign
# the result has the wrong sign
class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)

    def forward(self, x):
        h = F.relu(self.linear1(x))
        return self.linear2.bias * -1 - h @ self.linear2.weight.T
