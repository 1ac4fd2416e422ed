# named: feed-forward-single-position-squeezed
# takes a sentence of one token for a token
class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)

    def forward(self, x):
        if x.size(1) == 1:
            x = x[:, 0]
        return self.linear2(F.relu(self.linear1(x)))
