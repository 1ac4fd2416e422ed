# matrix products written out, and the ReLU as (h + |h|) / 2
class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)

    def forward(self, x):
        (W_1, b_1), (W_2, b_2) = self.linear1.parameters(), self.linear2.parameters()
        h = x @ W_1.T + b_1
        return (h + h.abs()) / 2 @ W_2.T + b_2
