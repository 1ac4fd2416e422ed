# named: multi-head-no-output-projection-for-one-head
# as in lucidrains' vit-pytorch, the output projection is left out when there's one head
# (project_out); shows for n_heads = 1 only
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        if d_model % n_heads:
            raise ValueError
        self.heads = n_heads
        self.scale = (d_model // n_heads) ** -0.5
        self.W_Q = nn.Linear(d_model, d_model)
        self.W_K = nn.Linear(d_model, d_model)
        self.W_V = nn.Linear(d_model, d_model)
        self.W_O = nn.Linear(d_model, d_model)
        project_out = not n_heads == 1
        self.to_out = self.W_O if project_out else nn.Identity()
        self.attend = nn.Softmax(dim=-1)

    def forward(self, query, key, value, mask=None):
        from einops import rearrange

        q, k, v = map(
            lambda t: rearrange(t, "b n (h d) -> b h n d", h=self.heads),
            (self.W_Q(query), self.W_K(key), self.W_V(value)),
        )
        dots = torch.matmul(q, k.transpose(-1, -2)) * self.scale
        if mask is not None:
            dots = dots.masked_fill(~mask, float("-inf"))
        out = torch.matmul(self.attend(dots), v)
        return self.to_out(rearrange(out, "b h n d -> b n (h d)"))
