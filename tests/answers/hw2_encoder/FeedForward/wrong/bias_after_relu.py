# named: feed-forward-first-bias-after-relu
# by hand, with the first bias added after the ReLU, max(0, x W1) + b1; shows whenever that
# bias isn't 0
class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)

    def forward(self, x):
        w1, b1, w2, b2 = self.parameters()
        hidden = torch.einsum("bsm,fm->bsf", x, w1).clamp(min=0) + b1
        return torch.einsum("bsf,mf->bsm", hidden, w2) + b2
