# named: feed-forward-leaky-relu, feed-forward-residual-inside
# a LeakyReLU, and the input added at the end
class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.activation = nn.LeakyReLU()

    def forward(self, x):
        return x + self.linear2(self.activation(self.linear1(x)))
