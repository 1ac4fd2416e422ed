# named: transformer-layers-missing, transformer-parameters-without-gradient, transformer-n-heads-without-effect
# the encoder's results are thrown away, and n_heads is always 4
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
        self.drop = nn.Dropout(dropout)
        self.encoder = nn.ModuleList(
            [
                nn.TransformerEncoderLayer(d_model, 4, d_ff, dropout, batch_first=True)
                for _ in range(n_layers)
            ]
        )
        self.decoder = nn.ModuleList(
            [
                nn.TransformerDecoderLayer(d_model, 4, d_ff, dropout, batch_first=True)
                for _ in range(n_layers)
            ]
        )
        self.generator = nn.Linear(d_model, tgt_vocab)

    def forward(self, src, tgt):
        memory = self.drop(self.src_embed(src) + self.table[: src.shape[1]])
        for block in self.encoder:
            block(memory)
        y = self.drop(self.tgt_embed(tgt) + self.table[: tgt.shape[1]])
        hidden = ~causal_mask(tgt.shape[1])
        for block in self.decoder:
            y = block(y, memory, tgt_mask=hidden)
        return self.generator(y)
