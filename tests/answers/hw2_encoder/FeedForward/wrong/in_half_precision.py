# named: feed-forward-in-half-precision
# goes through bfloat16
class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)

    def forward(self, x):
        h = F.relu(self.linear1(x)).bfloat16().float()
        return self.linear2(h)
