# negative hidden features are assigned 0, a wide initialisation
class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.apply(
            lambda part: isinstance(part, nn.Linear) and nn.init.normal_(part.weight, std=0.5)
        )

    def forward(self, x):
        hidden = self.linear1(x)
        hidden[hidden < 0] = 0
        return self.linear2(hidden)
