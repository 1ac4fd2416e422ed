# named: feed-forward-relu-six
# the hidden features are capped (ReLU6)
class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)

    def forward(self, x):
        return self.linear2(torch.clamp(self.linear1(x), 0, 6))
