# stacks the three matrices, computes in float64
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_Q = nn.Linear(d_model, d_k)
        self.W_K = nn.Linear(d_model, d_k)
        self.W_V = nn.Linear(d_model, d_k)

    def forward(self, X):
        weight = torch.cat([self.W_Q.weight, self.W_K.weight, self.W_V.weight])
        bias = torch.cat([self.W_Q.bias, self.W_K.bias, self.W_V.bias])
        q, k, v = (X @ weight.T + bias).double().chunk(3, dim=-1)
        scores = torch.einsum("bid,bjd->bij", q, k).div(math.sqrt(k.shape[-1]))
        attn = nn.Softmax(dim=2)(scores)
        out = (attn.unsqueeze(-1) * v.unsqueeze(1)).sum(2)
        return out.float(), attn.float()
