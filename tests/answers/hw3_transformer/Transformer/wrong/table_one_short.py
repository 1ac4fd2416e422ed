# named: crash-broadcast
# the tables of positions have max_len - 1 rows, so sequences of exactly max_len tokens fail
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
        self.src_emb = nn.Embedding(src_vocab, d_model)
        self.tgt_emb = nn.Embedding(tgt_vocab, d_model)
        self.register_buffer("pe", positional_encoding(max_len - 1, d_model))
        self.encoder = nn.ModuleList(
            [
                nn.TransformerEncoderLayer(d_model, n_heads, d_ff, dropout, batch_first=True)
                for _ in range(n_layers)
            ]
        )
        self.decoder = nn.ModuleList(
            [DecoderBlock(d_model, n_heads, d_ff, dropout) for _ in range(n_layers)]
        )
        self.out = nn.Linear(d_model, tgt_vocab)

    def forward(self, src, tgt):
        memory = self.src_emb(src) + self.pe[: src.shape[1]]
        for layer in self.encoder:
            memory = layer(memory)
        x = self.tgt_emb(tgt) + self.pe[: tgt.shape[1]]
        for layer in self.decoder:
            x = layer(x, memory)
        return self.out(x)
