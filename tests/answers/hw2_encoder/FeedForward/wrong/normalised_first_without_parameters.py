# named: feed-forward-normalised-first
# the input is normalised first, by a LayerNorm without parameters
class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.d_model = d_model
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)

    def forward(self, x):
        x = F.layer_norm(x, (self.d_model,))
        return self.linear2(F.relu(self.linear1(x)))
