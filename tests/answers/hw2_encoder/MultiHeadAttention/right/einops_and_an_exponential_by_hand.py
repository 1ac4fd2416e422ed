# einops and an exponential by hand with the mask as zero weights before normalising
from einops import rearrange


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model: int, n_heads: int) -> None:
        super().__init__()
        quotient, rest = divmod(d_model, n_heads)
        if rest:
            raise ValueError("d_model must be a multiple of n_heads")
        self.n_heads, self.d_head = n_heads, quotient
        self.W_Q = nn.Linear(d_model, d_model)
        self.W_K = nn.Linear(d_model, d_model)
        self.W_V = nn.Linear(d_model, d_model)
        self.W_O = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, mask=None):
        q = rearrange(self.W_Q(query), "b q (h d) -> b h q d", h=self.n_heads)
        k = rearrange(self.W_K(key), "b k (h d) -> b h d k", h=self.n_heads)
        v = rearrange(self.W_V(value), "b k (h d) -> b h k d", h=self.n_heads)
        s = q @ k * self.d_head**-0.5
        if mask is not None:
            s = s.masked_fill(~mask, -torch.inf)
        e = (s - s.amax(-1, keepdim=True)).exp()
        p = e / e.sum(-1, keepdim=True)
        return self.W_O(rearrange(p @ v, "b h q d -> b q (h d)"))
