# named: transformer-source-seen-in-part, transformer-token-without-gradient
# the decoder gets the last of the encoder's vectors alone, which looks at itself alone
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
        self.s, self.t = nn.Embedding(src_vocab, d_model), nn.Embedding(tgt_vocab, d_model)
        self.register_buffer("pe", positional_encoding(max_len, d_model))
        self.encoder = nn.TransformerEncoder(
            nn.TransformerEncoderLayer(d_model, n_heads, d_ff, dropout, batch_first=True), n_layers
        )
        self.decoder = nn.TransformerDecoder(
            nn.TransformerDecoderLayer(d_model, n_heads, d_ff, dropout, batch_first=True), n_layers
        )
        self.out = nn.Linear(d_model, tgt_vocab)

    def forward(self, src, tgt):
        n = src.shape[1]
        back = torch.ones(n, n, dtype=torch.bool).tril(-1)
        memory = self.encoder(self.s(src) + self.pe[:n], mask=back)[:, -1:]
        hide = ~causal_mask(tgt.shape[1])
        return self.out(self.decoder(self.t(tgt) + self.pe[: tgt.shape[1]], memory, tgt_mask=hide))
