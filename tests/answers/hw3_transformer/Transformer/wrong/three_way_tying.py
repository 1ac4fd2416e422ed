# named: transformer-larger-vocabulary
# adapted from the paper's §3.4: one embedding of max(src_vocab, tgt_vocab) rows for source,
# target and output, so there are too many logits when src_vocab > tgt_vocab (right otherwise)
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
        self.shared = nn.Embedding(max(src_vocab, tgt_vocab), d_model)
        nn.init.normal_(self.shared.weight, std=d_model**-0.5)
        self.sqrt_d = d_model**0.5
        self.register_buffer("pe", positional_encoding(max_len, d_model))
        self.encoder = nn.ModuleList(
            [
                nn.TransformerEncoderLayer(d_model, n_heads, d_ff, dropout, batch_first=True)
                for _ in range(n_layers)
            ]
        )
        self.decoder = nn.ModuleList(
            [DecoderBlock(d_model, n_heads, d_ff, dropout) for _ in range(n_layers)]
        )
        self.drop = nn.Dropout(dropout)

    def forward(self, src, tgt):
        m, y = (self.drop(self.shared(x) * self.sqrt_d + self.pe[: x.size(1)]) for x in (src, tgt))
        for e in self.encoder:
            m = e(m)
        for d in self.decoder:
            y = d(y, m)
        return y @ self.shared.weight.T
