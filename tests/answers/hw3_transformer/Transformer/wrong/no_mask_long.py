# named: transformer-peeks-ahead, transformer-no-mask
# harmless .long(); no causal mask in the decoder
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
        self.e = nn.Embedding(src_vocab, d_model)
        self.d = nn.Embedding(tgt_vocab, d_model)
        self.pe = nn.Embedding(max_len, d_model)
        self.pd = nn.Embedding(max_len, d_model)
        self.enc = nn.ModuleList(
            nn.TransformerEncoderLayer(d_model, n_heads, d_ff, dropout, batch_first=True)
            for _ in range(n_layers)
        )
        self.dec = nn.ModuleList(
            nn.TransformerDecoderLayer(d_model, n_heads, d_ff, dropout, batch_first=True)
            for _ in range(n_layers)
        )
        self.proj = nn.Linear(d_model, tgt_vocab)

    def forward(self, src, tgt):
        src, tgt = src.long(), tgt.long()
        x = self.e(src) + self.pe.weight[: src.size(1)]
        for layer in self.enc:
            x = layer(x)
        y = self.d(tgt) + self.pd.weight[: tgt.size(1)]
        for layer in self.dec:
            y = layer(y, x)
        return self.proj(y)
