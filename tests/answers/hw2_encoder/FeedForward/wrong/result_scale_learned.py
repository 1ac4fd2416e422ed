# named: feed-forward-trains-too-much
# a scale of the result learns as well, from 1
class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.gamma = nn.Parameter(torch.ones(d_model))

    def forward(self, x):
        return self.gamma * self.linear2(torch.relu(self.linear1(x)))
