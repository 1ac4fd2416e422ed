# a loop over positions, and the ReLU by clamp
class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)

    def one_position(self, x):
        return self.linear2(self.linear1(x).clamp(min=0))

    def forward(self, x):
        return torch.stack([self.one_position(x[:, t]) for t in range(x.size(1))], dim=1)
