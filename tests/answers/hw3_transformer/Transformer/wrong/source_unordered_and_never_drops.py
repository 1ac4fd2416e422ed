# named: transformer-no-positions-in-the-source, transformer-dropout-ignored
# no positions for the source, and dropout is never passed on
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
        self.src_embed, self.tgt_embed = (
            nn.Embedding(src_vocab, d_model),
            nn.Embedding(tgt_vocab, d_model),
        )
        self.register_buffer("table", positional_encoding(max_len, d_model))
        self.encoder = nn.ModuleList(
            [
                nn.TransformerEncoderLayer(d_model, n_heads, d_ff, 0.0, batch_first=True)
                for _ in range(n_layers)
            ]
        )
        self.decoder = nn.ModuleList(
            [DecoderBlock(d_model, n_heads, d_ff, 0.0) for _ in range(n_layers)]
        )
        self.generator = nn.Linear(d_model, tgt_vocab)

    def forward(self, src, tgt):
        memory = self.src_embed(src)
        for block in self.encoder:
            memory = block(memory)
        y = self.tgt_embed(tgt) + self.table[: tgt.shape[1]]
        for block in self.decoder:
            y = block(y, memory)
        return self.generator(y)
