# helpers named relu and softmax, a list of layers that are aliases
def relu(x):
    return x * (x > 0).to(x.dtype)


def softmax(x):
    return x.softmax(-1)


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.steps = [self.linear1, relu, self.linear2]

    def forward(self, x):
        for step in self.steps:
            x = step(x)
        return x
