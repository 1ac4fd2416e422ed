# named: transformer-logits-not-negative
# ReLU on the logits
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
        self.embed_src = nn.Embedding(src_vocab, d_model)
        self.embed_tgt = nn.Embedding(tgt_vocab, d_model)
        self.register_buffer("pe", positional_encoding(max_len, d_model))
        layer = nn.TransformerEncoderLayer(d_model, n_heads, d_ff, dropout, batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, n_layers)
        self.decoder = nn.ModuleList(
            [DecoderBlock(d_model, n_heads, d_ff, dropout) for _ in range(n_layers)]
        )
        self.out = nn.Linear(d_model, tgt_vocab)
        self.scale = math.sqrt(d_model)

    def forward(self, src, tgt):
        x = self.embed_src(src) * self.scale + self.pe[: src.size(1)]
        memory = self.encoder(x)
        y = self.embed_tgt(tgt) * self.scale + self.pe[: tgt.size(1)]
        for block in self.decoder:
            y = block(y, memory)
        return F.relu(self.out(y))
