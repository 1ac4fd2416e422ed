# functions of a dictionary of parameters
def _norm(x, p):
    return (x - x.mean(-1, keepdim=True)) * torch.rsqrt(x.var(-1, unbiased=False, keepdim=True) + 1e-5) * p["g"] + p["b"]


def _mha(q, kv, p, n_heads, mask):
    """q (t, d), kv (s, d), mask (t, s) bool, True = may attend. No batch here: vmap adds it."""
    q, k, v = q @ p["q"], kv @ p["k"], kv @ p["v"]
    q, k, v = (z.unflatten(-1, (n_heads, -1)) for z in (q, k, v))
    scores = torch.einsum("thd,shd->hts", q, k) / q.shape[-1] ** 0.5
    weights = torch.softmax(torch.where(mask, scores, -torch.inf), dim=-1)
    return torch.einsum("hts,shd->thd", weights, v).flatten(-2) @ p["o"]


def _mlp(x, p):
    return torch.relu(x @ p["w1"] + p["b1"]) @ p["w2"] + p["b2"]


class Transformer(nn.Module):
    """jax style: parameters are a tree of ParameterDicts, and functions of one sentence are vmapped."""

    def __init__(
        self, src_vocab, tgt_vocab, d_model=64, n_heads=4, d_ff=128, n_layers=2, max_len=64, dropout=0.0
    ):
        super().__init__()
        self.n_heads, self.p = n_heads, dropout

        def matrix(fan_in, fan_out):
            return nn.Parameter(torch.randn(fan_in, fan_out) * (2 / (fan_in + fan_out)) ** 0.5)

        def tree(**leaves):
            return nn.ParameterDict(leaves)

        def norm():
            return tree(g=nn.Parameter(torch.ones(d_model)), b=nn.Parameter(torch.zeros(d_model)))

        def attention():
            return tree(**{name: matrix(d_model, d_model) for name in "qkvo"})

        def mlp():
            zeros = lambda n: nn.Parameter(torch.zeros(n))
            return tree(w1=matrix(d_model, d_ff), b1=zeros(d_ff), w2=matrix(d_ff, d_model), b2=zeros(d_model))

        def layer(*names):
            made = {f"norm_{name}": norm() for name in names}
            made |= {name: mlp() if name == "mlp" else attention() for name in names}
            return nn.ModuleDict(made)

        self.tables = tree(
            src=nn.Parameter(torch.randn(src_vocab, d_model) * 0.5),
            tgt=nn.Parameter(torch.randn(tgt_vocab, d_model) * 0.5),
            src_at=nn.Parameter(torch.randn(max_len, d_model) * 0.5),
            tgt_at=nn.Parameter(torch.randn(max_len, d_model) * 0.5),
            head=matrix(d_model, tgt_vocab),
        )
        self.encoder = nn.ModuleList(layer("attn", "mlp") for _ in range(n_layers))
        self.decoder = nn.ModuleList(layer("attn", "cross", "mlp") for _ in range(n_layers))

    def _drop(self, x):
        return F.dropout(x, self.p, self.training)

    def _add(self, x, update, norm):
        return _norm(x + self._drop(update), norm)

    def _one(self, src, tgt):
        T = self.tables
        x, y = T["src"][src] + T["src_at"][: len(src)], T["tgt"][tgt] + T["tgt_at"][: len(tgt)]
        x, y = self._drop(x), self._drop(y)
        everything, past = torch.ones((), dtype=torch.bool), torch.ones(len(tgt), len(tgt)).tril().bool()
        for p in self.encoder:
            x = self._add(x, _mha(x, x, p["attn"], self.n_heads, everything), p["norm_attn"])
            x = self._add(x, _mlp(x, p["mlp"]), p["norm_mlp"])
        for p in self.decoder:
            y = self._add(y, _mha(y, y, p["attn"], self.n_heads, past), p["norm_attn"])
            y = self._add(y, _mha(y, x, p["cross"], self.n_heads, everything), p["norm_cross"])
            y = self._add(y, _mlp(y, p["mlp"]), p["norm_mlp"])
        return y @ T["head"]

    def forward(self, src, tgt):
        return torch.vmap(self._one, randomness="different")(src, tgt)
