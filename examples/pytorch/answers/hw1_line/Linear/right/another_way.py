# other first numbers, and einsum
class Linear(nn.Module):
    def __init__(self, n_in, n_out):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(n_out, n_in).uniform_(-0.1, 0.1))
        self.bias = nn.Parameter(0.01 * torch.ones(n_out))

    def forward(self, x):
        return torch.einsum("ni,oi->no", x, self.weight).add(self.bias)
