# named: feed-forward-centred-over-the-batch
# hidden features are centred over the batch
class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)

    def forward(self, x):
        h = self.linear1(x)
        h = h - h.mean(dim=0)
        return self.linear2(F.relu(h))
