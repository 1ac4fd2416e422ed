# Gated feed-forward networks, whose three matrices have two thirds of d_ff hidden features
class Transformer(nn.Module):
    class Gated(nn.Module):
        def __init__(self, d_model, d_ff):
            super().__init__()
            hidden = 2 * d_ff // 3
            self.gate, self.up = (nn.Linear(d_model, hidden, bias=False) for _ in range(2))
            self.down = nn.Linear(hidden, d_model, bias=False)

        def forward(self, x):
            return self.down(F.silu(self.gate(x)) * self.up(x))

    class Layer(nn.Module):
        def __init__(self, d_model, n_heads, d_ff, dropout, cross):
            super().__init__()
            make = lambda: nn.MultiheadAttention(d_model, n_heads, dropout, batch_first=True)
            self.look, self.ask = make(), make() if cross else None
            self.think = Transformer.Gated(d_model, d_ff)
            self.norms = nn.ModuleList(nn.LayerNorm(d_model) for _ in range(2 + cross))
            self.drop = nn.Dropout(dropout)

        def forward(self, x, memory=None):
            n = x.shape[1]
            mask = None if memory is None else torch.ones(n, n, dtype=torch.bool).triu(1)
            h = self.norms[0](x)
            x = x + self.drop(self.look(h, h, h, attn_mask=mask, need_weights=False)[0])
            if self.ask is not None:
                h = self.norms[2](x)
                x = x + self.drop(self.ask(h, memory, memory, need_weights=False)[0])
            return x + self.drop(self.think(self.norms[1](x)))

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
        self.src_embedding = nn.Embedding(src_vocab, d_model)
        self.tgt_embedding = nn.Embedding(tgt_vocab, d_model)
        self.register_buffer("positions", positional_encoding(max_len, d_model))
        sizes = (d_model, n_heads, d_ff, dropout)
        self.encoder = nn.ModuleList(Transformer.Layer(*sizes, False) for _ in range(n_layers))
        self.decoder = nn.ModuleList(Transformer.Layer(*sizes, True) for _ in range(n_layers))
        self.read, self.written = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.logits = nn.Linear(d_model, tgt_vocab)

    def forward(self, src, tgt):
        x = self.src_embedding(src) + self.positions[: src.shape[1]]
        for layer in self.encoder:
            x = layer(x)
        y = self.tgt_embedding(tgt) + self.positions[: tgt.shape[1]]
        for layer in self.decoder:
            y = layer(y, self.read(x))
        return self.logits(self.written(y))
