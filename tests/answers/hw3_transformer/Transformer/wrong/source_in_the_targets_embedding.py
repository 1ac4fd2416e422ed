# named: transformer-out-of-reach
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
        self.words = nn.Embedding(tgt_vocab, d_model)
        self.core = nn.Transformer(
            d_model, n_heads, n_layers, n_layers, d_ff, dropout, batch_first=True
        )
        self.out = nn.Linear(d_model, tgt_vocab)
        self.register_buffer("pe", positional_encoding(max_len, d_model))

    def forward(self, src, tgt):
        s, t = src.shape[1], tgt.shape[1]
        x, y = self.words(src) + self.pe[:s], self.words(tgt) + self.pe[:t]
        return self.out(self.core(x, y, tgt_mask=~causal_mask(t)))
