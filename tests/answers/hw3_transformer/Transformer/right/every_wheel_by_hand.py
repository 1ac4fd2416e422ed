class Transformer(nn.Module):
    class Attention(nn.Module):
        def __init__(self, d_model, n_heads):
            super().__init__()
            self.n_heads = n_heads
            self.W_Q = nn.Linear(d_model, d_model)
            self.W_K = nn.Linear(d_model, d_model)
            self.W_V = nn.Linear(d_model, d_model)
            self.W_O = nn.Linear(d_model, d_model)

        def forward(self, x, source, mask=None):
            Q, K, V = (
                layer(y).unflatten(-1, (self.n_heads, -1)).transpose(1, 2)
                for layer, y in ((self.W_Q, x), (self.W_K, source), (self.W_V, source))
            )
            scores = Q @ K.mT / math.sqrt(Q.shape[-1])
            if mask is not None:
                scores = scores.masked_fill(~mask, float("-inf"))
            return self.W_O((scores.softmax(-1) @ V).transpose(1, 2).flatten(2))

    class Layer(nn.Module):
        def __init__(self, d_model, n_heads, d_ff, dropout, cross):
            super().__init__()
            self.look = Transformer.Attention(d_model, n_heads)
            self.ask = Transformer.Attention(d_model, n_heads) if cross else None
            self.think = nn.Sequential(
                nn.Linear(d_model, d_ff), nn.GELU(), nn.Linear(d_ff, d_model)
            )
            self.norms = nn.ModuleList(nn.LayerNorm(d_model) for _ in range(3 if cross else 2))
            self.drop = nn.Dropout(dropout)

        def forward(self, x, memory=None):
            mask = causal_mask(x.shape[1]) if self.ask else None
            x = self.norms[0](x + self.drop(self.look(x, x, mask)))
            if self.ask:
                x = self.norms[1](x + self.drop(self.ask(x, memory)))
            return self.norms[-1](x + self.drop(self.think(x)))

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
        make = lambda cross: nn.ModuleList(
            Transformer.Layer(d_model, n_heads, d_ff, dropout, cross) for _ in range(n_layers)
        )
        self.embeddings = nn.ModuleList(nn.Embedding(v, d_model) for v in (src_vocab, tgt_vocab))
        self.table = positional_encoding(max_len, d_model)
        self.reading, self.writing = make(False), make(True)
        self.logits = nn.Linear(d_model, tgt_vocab, bias=False)

    def forward(self, src, tgt):
        x, y = (
            e(tokens) + self.table[: tokens.shape[1]]
            for e, tokens in zip(self.embeddings, (src, tgt))
        )
        for layer in self.reading:
            x = layer(x)
        for layer in self.writing:
            y = layer(y, x)
        return self.logits(y)
