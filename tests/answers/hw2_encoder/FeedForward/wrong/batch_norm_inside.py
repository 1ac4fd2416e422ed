# named: relation-mode
# hidden features go through a batch norm without weights
class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.linear1 = nn.Linear(d_model, d_ff)
        self.norm = nn.BatchNorm1d(d_ff, affine=False)
        self.linear2 = nn.Linear(d_ff, d_model)

    def forward(self, x):
        hidden = self.norm(self.linear1(x).transpose(1, 2)).transpose(1, 2)
        return self.linear2(F.relu(hidden))
