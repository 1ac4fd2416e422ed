# named: crash-scalar
# torch.maximum of a number and a tensor
class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)

    def forward(self, x):
        h = torch.maximum(0, self.linear1(x))
        return self.linear2(h)
