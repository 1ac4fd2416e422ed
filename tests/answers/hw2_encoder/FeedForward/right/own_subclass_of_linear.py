class Affine(nn.Linear):
    """A linear layer that may be followed by a ReLU."""

    def __init__(self, ins, outs, rectify=False):
        super().__init__(ins, outs)
        self.rectify = rectify

    def forward(self, x):
        y = super().forward(x)
        return y.relu_() if self.rectify else y


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.linear1 = Affine(d_model, d_ff, rectify=True)
        self.linear2 = Affine(d_ff, d_model)

    def forward(self, x):
        return self.linear2(self.linear1(x))
