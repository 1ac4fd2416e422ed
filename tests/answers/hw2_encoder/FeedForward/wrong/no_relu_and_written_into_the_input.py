# named: feed-forward-changes-its-input, feed-forward-no-relu
class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)

    def forward(self, x):
        result = self.linear2(self.linear1(x))
        with torch.no_grad():
            x.copy_(result)
        return result
