# named: transformer-tokens-alike
# both sides look up the source's table, larger numbers of the target wrapped round
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
        self.size = src_vocab
        self.table = nn.Embedding(src_vocab, d_model)
        self.register_buffer("pe", positional_encoding(max_len, d_model))
        layer = nn.TransformerEncoderLayer(d_model, n_heads, d_ff, dropout, batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, n_layers)
        layer = nn.TransformerDecoderLayer(d_model, n_heads, d_ff, dropout, batch_first=True)
        self.decoder = nn.TransformerDecoder(layer, n_layers)
        self.out = nn.Linear(d_model, tgt_vocab)

    def embed(self, tokens):
        return self.table(tokens % self.size) + self.pe[: tokens.shape[1]]

    def forward(self, src, tgt):
        hide = torch.triu(torch.ones(tgt.shape[1], tgt.shape[1], dtype=torch.bool), 1)
        return self.out(self.decoder(self.embed(tgt), self.encoder(self.embed(src)), tgt_mask=hide))
