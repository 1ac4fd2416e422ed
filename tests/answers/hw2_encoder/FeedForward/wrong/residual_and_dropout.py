# named: feed-forward-residual-inside, feed-forward-dropout
class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.linear1, self.linear2 = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)

    def forward(self, x):
        return x + F.dropout(self.linear2(torch.relu(self.linear1(x))), 0.1, self.training)
