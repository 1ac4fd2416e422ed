# named: transformer-mask-in-the-first-layer-only, transformer-peeks-ahead
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
        self.embed_src = nn.Embedding(src_vocab, d_model)
        self.embed_tgt = nn.Embedding(tgt_vocab, d_model)
        self.pe = positional_encoding(max_len, d_model)
        sizes = (d_model, n_heads, d_ff, dropout)
        self.encoder = nn.ModuleList(
            nn.TransformerEncoderLayer(*sizes, batch_first=True) for _ in range(n_layers)
        )
        self.decoder = nn.ModuleList(
            nn.TransformerDecoderLayer(*sizes, batch_first=True) for _ in range(n_layers)
        )
        self.out = nn.Linear(d_model, tgt_vocab)

    def forward(self, src, tgt):
        memory = self.embed_src(src) + self.pe[: src.size(1)]
        for layer in self.encoder:
            memory = layer(memory)
        x = self.embed_tgt(tgt) + self.pe[: tgt.size(1)]
        mask = ~causal_mask(tgt.size(1))
        for layer in self.decoder:
            x = layer(x, memory, tgt_mask=mask)
            mask = None
        return self.out(x)
