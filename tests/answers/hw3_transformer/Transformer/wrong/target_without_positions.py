# named: transformer-no-positions-in-the-target
# odd style (nn.Transformer inside); the target gets no positions
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
        self.core = nn.Transformer(
            d_model, n_heads, n_layers, n_layers, d_ff, dropout, batch_first=True
        )
        self.inp = nn.Embedding(src_vocab, d_model)
        self.out = nn.Embedding(tgt_vocab, d_model)
        self.register_buffer("pe", positional_encoding(max_len, d_model))
        self.head = nn.Linear(d_model, tgt_vocab)

    def forward(self, src, tgt):
        later = self.core.generate_square_subsequent_mask(tgt.shape[-1])
        return self.head(
            self.core(self.inp(src) + self.pe[: src.shape[-1]], self.out(tgt), tgt_mask=later)
        )
