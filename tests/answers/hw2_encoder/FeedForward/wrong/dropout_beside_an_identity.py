# named: feed-forward-dropout
# dropout 0.1 after the ReLU in train mode, with an identity beside it
class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff, dropout=0.1):
        super().__init__()
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.act = nn.ReLU(inplace=True)
        self.p = dropout
        self.out = nn.Identity()

    def forward(self, x):
        return self.out(self.linear2(F.dropout(self.act(self.linear1(x)), self.p, self.training)))
