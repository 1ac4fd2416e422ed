# named: feed-forward-no-bias, feed-forward-relu-first
# biases left out, and the ReLU stands before linear1
class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.linear1 = nn.Linear(d_model, d_ff, bias=False)
        self.linear2 = nn.Linear(d_ff, d_model, bias=False)

    def forward(self, x):
        return self.linear2(self.linear1(torch.relu(x)))
