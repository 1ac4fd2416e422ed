# named: feed-forward-dropout
# a dropout of 0.1 between the layers, in train mode only; beside a harmless nn.Identity
class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff, p=0.1):
        super().__init__()
        self.linear1 = nn.Linear(d_model, d_ff)
        self.act = nn.Sequential(nn.ReLU(), nn.Identity())
        self.p = p
        self.linear2 = nn.Linear(d_ff, d_model)

    def forward(self, x):
        return self.linear2(F.dropout(self.act(self.linear1(x)), self.p, self.training))
