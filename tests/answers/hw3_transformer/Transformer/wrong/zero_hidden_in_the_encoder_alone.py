# named: transformer-number-of-the-source-special
# src == 0 is hidden as padding in the encoder, and the decoder sees it
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
        self.src, self.tgt = nn.Embedding(src_vocab, d_model), nn.Embedding(tgt_vocab, d_model)
        self.enc = nn.ModuleList(
            nn.TransformerEncoderLayer(d_model, n_heads, d_ff, dropout, batch_first=True)
            for _ in range(n_layers)
        )
        self.dec = nn.ModuleList(
            DecoderBlock(d_model, n_heads, d_ff, dropout) for _ in range(n_layers)
        )
        self.out = nn.Linear(d_model, tgt_vocab)
        self.d = d_model
        self.max_len = max_len

    def places(self, tokens):
        return positional_encoding(tokens.size(1), self.d)

    def encode(self, src):
        m = self.src(src) * self.d**0.5 + self.places(src)
        for layer in self.enc:
            m = layer(m, src_key_padding_mask=(src == 0) & ~(src == 0).all(1, keepdim=True))
        return m

    def forward(self, src, tgt):
        m, y = self.encode(src), self.tgt(tgt) * self.d**0.5 + self.places(tgt)
        for block in self.dec:
            y = block(y, m)
        return self.out(y)
