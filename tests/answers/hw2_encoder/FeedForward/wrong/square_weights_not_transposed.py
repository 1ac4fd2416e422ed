# named: feed-forward-weights-turned-where-square
# transposes a weight only where the shapes require it, so for d_model == d_ff both are used
# the wrong way round
class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)

    def forward(self, x):
        for i, layer in enumerate((self.linear1, self.linear2)):
            w = layer.weight
            if w.shape[0] != x.shape[-1]:
                w = w.T
            x = x @ w + layer.bias
            if i == 0:
                x = torch.relu(x)
        return x
