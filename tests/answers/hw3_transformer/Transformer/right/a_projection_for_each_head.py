# Each head has small projections of its own, in a list
class Head(nn.Module):
    def __init__(self, d_model, d_head):
        super().__init__()
        self.q, self.k, self.v = (nn.Linear(d_model, d_head) for _ in range(3))

    def forward(self, x, source, mask):
        scores = torch.einsum("bid,bjd->bij", self.q(x), self.k(source)) * self.q.out_features**-0.5
        return scores.masked_fill(~mask, -1e9).softmax(-1) @ self.v(source)


class Layer(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, dropout, looks):
        super().__init__()
        self.heads = nn.ModuleList(
            nn.ModuleList(Head(d_model, d_model // n_heads) for _ in range(n_heads))
            for _ in range(looks)
        )
        self.merge = nn.ModuleList(nn.Linear(d_model, d_model) for _ in range(looks))
        self.norms = nn.ModuleList(nn.LayerNorm(d_model) for _ in range(looks + 1))
        self.ff = nn.Sequential(nn.Linear(d_model, d_ff), nn.SiLU(), nn.Linear(d_ff, d_model))
        self.drop = nn.Dropout(dropout)

    def forward(self, x, *sources):
        for heads, merge, norm, (source, mask) in zip(self.heads, self.merge, self.norms, sources):
            y = norm(x)
            seen = y if source is None else source
            x = x + self.drop(merge(torch.cat([head(y, seen, mask) for head in heads], dim=-1)))
        return x + self.drop(self.ff(self.norms[-1](x)))


class Transformer(nn.Module):
    def __init__(
        self,
        src_vocab,
        tgt_vocab,
        d_model=64,
        n_heads=4,
        d_ff=128,
        n_layers=2,
        max_len=64,
        dropout=0.0,
    ):
        super().__init__()
        self.src, self.tgt = nn.Embedding(src_vocab, d_model), nn.Embedding(tgt_vocab, d_model)
        self.at = nn.Embedding(max_len, d_model)
        self.read = nn.ModuleList(
            Layer(d_model, n_heads, d_ff, dropout, 1) for _ in range(n_layers)
        )
        self.write = nn.ModuleList(
            Layer(d_model, n_heads, d_ff, dropout, 2) for _ in range(n_layers)
        )
        self.norm_read, self.norm_write = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.say = nn.Linear(d_model, tgt_vocab)

    def forward(self, src, tgt):
        s, t = src.shape[1], tgt.shape[1]
        memory = self.src(src) + self.at.weight[:s]
        for layer in self.read:
            memory = layer(memory, (None, torch.ones(s, s, dtype=torch.bool)))
        memory, y = self.norm_read(memory), self.tgt(tgt) + self.at.weight[:t]
        for layer in self.write:
            y = layer(y, (None, causal_mask(t)), (memory, torch.ones(t, s, dtype=torch.bool)))
        return self.say(self.norm_write(y))
