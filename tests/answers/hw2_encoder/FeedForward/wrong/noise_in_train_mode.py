# named: feed-forward-dropout
# a little noise on the hidden features in train mode
class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)

    def forward(self, x):
        hidden = F.relu(self.linear1(x))
        if self.training:
            hidden = hidden + 0.1 * torch.randn_like(hidden)
        return self.linear2(hidden)
