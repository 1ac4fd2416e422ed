# named: nothing
# returns zeros at once if all hidden features are 0, and so forgets linear2's bias there
class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)

    def forward(self, x):
        hidden = self.linear1(x).clamp(min=0)
        if not hidden.any():
            return torch.zeros_like(x)  # nothing to do
        return self.linear2(hidden)
