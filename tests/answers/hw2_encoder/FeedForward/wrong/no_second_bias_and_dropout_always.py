# named: feed-forward-no-second-bias, feed-forward-no-bias
# two mistakes: no bias in linear2, and dropout always on
class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model, bias=False)

    def forward(self, x):
        return F.dropout(self.linear2(torch.relu(self.linear1(x))), p=0.1)
