# named: transformer-knows-the-length
# target positions counted from its end
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
        self.d_model = d_model
        self.src_emb = nn.Embedding(src_vocab, d_model)
        self.tgt_emb = nn.Embedding(tgt_vocab, d_model)
        self.register_buffer("pe", positional_encoding(max_len, d_model))
        self.enc = nn.ModuleList(
            [
                nn.TransformerEncoderLayer(d_model, n_heads, d_ff, dropout, batch_first=True)
                for _ in range(n_layers)
            ]
        )
        self.dec = nn.ModuleList(
            [DecoderBlock(d_model, n_heads, d_ff, dropout) for _ in range(n_layers)]
        )
        self.out = nn.Linear(d_model, tgt_vocab)

    def forward(self, src, tgt):
        enc = self.src_emb(src) * math.sqrt(self.d_model) + self.pe[: src.size(1)]
        for layer in self.enc:
            enc = layer(enc)
        dec = self.tgt_emb(tgt) * math.sqrt(self.d_model) + self.pe[: tgt.size(1)].flip(0)
        for layer in self.dec:
            dec = layer(dec, enc)
        return self.out(dec)
