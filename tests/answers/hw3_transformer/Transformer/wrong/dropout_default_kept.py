# named: transformer-n-heads-on-one-side, transformer-dropout-forgotten, crash-heads
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
        self.src_embedding = nn.Embedding(src_vocab, d_model)
        self.tgt_embedding = nn.Embedding(tgt_vocab, d_model)
        self.pe = positional_encoding(max_len, d_model)
        self.enc_layers = nn.ModuleList(
            [
                nn.TransformerEncoderLayer(d_model, n_heads, d_ff, dropout, batch_first=True)
                for _ in range(n_layers)
            ]
        )
        self.dec_layers = nn.ModuleList([DecoderBlock(d_model, d_ff=d_ff) for _ in range(n_layers)])
        self.out = nn.Linear(d_model, tgt_vocab)

    def forward(self, src, tgt):
        enc = self.src_embedding(src) + self.pe[: src.size(1)].unsqueeze(0)
        dec = self.tgt_embedding(tgt) + self.pe[: tgt.size(1)].unsqueeze(0)
        for layer in self.enc_layers:
            enc = layer(enc)
        for layer in self.dec_layers:
            dec = layer(dec, enc)
        return self.out(dec)
