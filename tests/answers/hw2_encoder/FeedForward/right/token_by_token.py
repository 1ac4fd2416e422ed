class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.linear2 = nn.Linear(d_ff, d_model)
        self.linear1 = nn.Linear(d_model, d_ff)

    def forward(self, x):
        positions = []
        for token in x.unbind(dim=1):
            hidden = self.linear1(token)
            hidden = torch.where(hidden > 0, hidden, torch.zeros_like(hidden))
            positions.append(self.linear2(hidden))
        return torch.stack(positions, dim=1)
