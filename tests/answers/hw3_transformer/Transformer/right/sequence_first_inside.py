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
        self.a = nn.Embedding(src_vocab, d_model)
        self.b = nn.Embedding(tgt_vocab, d_model)
        self.p = positional_encoding(max_len, d_model).unsqueeze(1)
        self.net = nn.Transformer(d_model, n_heads, n_layers, n_layers, d_ff, dropout)
        for value in self.net.parameters():
            if value.dim() > 1:
                nn.init.xavier_uniform_(value)
        self.c = nn.Linear(d_model, tgt_vocab)

    def forward(self, src, tgt):
        src, tgt = src.T, tgt.T
        mask = nn.Transformer.generate_square_subsequent_mask(len(tgt))
        out = self.net(
            self.a(src) + self.p[: len(src)], self.b(tgt) + self.p[: len(tgt)], tgt_mask=mask
        )
        return self.c(out).transpose(0, 1)
