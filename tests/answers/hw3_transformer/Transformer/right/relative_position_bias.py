class RelativeSelfAttention(nn.Module):
    """T5: no positions in the input; each head learns a number for each distance."""

    def __init__(self, d_model, n_heads, max_len, dropout, causal):
        super().__init__()
        self.h, self.causal, self.reach = n_heads, causal, max_len - 1
        self.qkv, self.o = nn.Linear(d_model, 3 * d_model), nn.Linear(d_model, d_model)
        self.bias = nn.Embedding(2 * max_len - 1, n_heads)
        self.drop = nn.Dropout(dropout)

    def forward(self, x):
        n = x.shape[1]
        q, k, v = (z.unflatten(2, (self.h, -1)).transpose(1, 2) for z in self.qkv(x).chunk(3, -1))
        place = torch.arange(n, device=x.device)
        distance = place[:, None] - place
        scores = q @ k.transpose(2, 3) / q.shape[-1] ** 0.5
        scores = scores + self.bias(distance + self.reach).permute(2, 0, 1)
        if self.causal:
            scores = scores.masked_fill(distance < 0, -math.inf)
        return self.o((self.drop(scores.softmax(-1)) @ v).transpose(1, 2).flatten(2))


class Residual(nn.Module):
    def __init__(self, inner, d_model, dropout):
        super().__init__()
        self.inner, self.norm, self.drop = inner, nn.LayerNorm(d_model), nn.Dropout(dropout)

    def forward(self, x, *args):
        out = self.inner(x, *args)
        return self.norm(x + self.drop(out[0] if isinstance(out, tuple) else out))


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

        def residual(inner):
            return Residual(inner, d_model, dropout)

        def ffn():
            return residual(
                nn.Sequential(nn.Linear(d_model, d_ff), nn.ReLU(), nn.Linear(d_ff, d_model))
            )

        def own(causal):
            return residual(RelativeSelfAttention(d_model, n_heads, max_len, dropout, causal))

        self.source, self.target = (
            nn.Embedding(src_vocab, d_model),
            nn.Embedding(tgt_vocab, d_model),
        )
        self.encoder = nn.ModuleList(nn.ModuleList([own(False), ffn()]) for _ in range(n_layers))
        self.decoder = nn.ModuleList(
            nn.ModuleList(
                [
                    own(True),
                    residual(nn.MultiheadAttention(d_model, n_heads, dropout, batch_first=True)),
                    ffn(),
                ]
            )
            for _ in range(n_layers)
        )
        self.head = nn.Linear(d_model, tgt_vocab)

    def forward(self, src, tgt):
        x, y = self.source(src), self.target(tgt)
        for look, think in self.encoder:
            x = think(look(x))
        for look, ask, think in self.decoder:
            y = think(ask(look(y), x, x))
        return self.head(y)
