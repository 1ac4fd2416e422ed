# drawn with std 0.02, each sentence by itself, F.threshold
class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff, dropout=0.0):
        super().__init__()
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        for weight in (self.linear1.weight, self.linear2.weight):
            nn.init.trunc_normal_(weight, std=0.02)

    def forward(self, x):
        inside = (F.threshold(F.linear(s, *self.linear1.parameters()), 0, 0) for s in x.unbind())
        return torch.stack(
            [torch.addmm(self.linear2.bias, h, self.linear2.weight.T) for h in inside]
        )
