# named: feed-forward-centred-over-the-positions
# the mean over the positions is subtracted from the hidden features
class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)

    def forward(self, x):
        h = self.linear1(x)
        h = h - h.mean(dim=1, keepdim=True)
        return self.linear2(F.relu(h))
