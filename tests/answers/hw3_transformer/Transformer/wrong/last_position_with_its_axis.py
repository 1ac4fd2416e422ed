# named: transformer-last-position-with-an-axis
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
        self.src = nn.Embedding(src_vocab, d_model)
        self.tgt = nn.Embedding(tgt_vocab, d_model)
        self.register_buffer("pe", positional_encoding(max_len, d_model))
        self.body = nn.Transformer(
            d_model, n_heads, n_layers, n_layers, d_ff, dropout, batch_first=True
        )
        self.lm_head = nn.Linear(d_model, tgt_vocab)
        self.drop = nn.Dropout(dropout)

    def forward(self, src, tgt):
        a = self.drop(self.src(src) + self.pe[: src.size(1)])
        b = self.drop(self.tgt(tgt) + self.pe[: tgt.size(1)])
        mask = nn.Transformer.generate_square_subsequent_mask(tgt.size(1))
        x = self.body(a, b, tgt_mask=mask)
        # inference-time mini-optimization: only forward the lm_head on the very last position
        return self.lm_head(x[:, [-1], :])
