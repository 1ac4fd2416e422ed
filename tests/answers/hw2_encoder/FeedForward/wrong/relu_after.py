# named: feed-forward-relu-last
# ReLU on the result
class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)

    def forward(self, x):
        x = self.linear2(self.linear1(x))
        return x.clamp(min=0)
