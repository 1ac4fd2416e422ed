# The table of positions is drawn at random once, and kept as a buffer that does not learn
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
        self.source, self.target = (
            nn.Embedding(src_vocab, d_model),
            nn.Embedding(tgt_vocab, d_model),
        )
        self.register_buffer("places", torch.randn(max_len, d_model))
        self.register_buffer("frequencies", torch.randn(d_model) ** 2 + 0.5, persistent=False)
        self.encoder = nn.ModuleList(
            [
                nn.TransformerEncoderLayer(d_model, n_heads, d_ff, dropout, batch_first=True)
                for _ in range(n_layers)
            ]
        )
        self.decoder = nn.ModuleList(
            [DecoderBlock(d_model, n_heads, d_ff, dropout) for _ in range(n_layers)]
        )
        self.head = nn.Linear(d_model, tgt_vocab)

    def place(self, vectors):
        return vectors + self.places[: vectors.shape[1]] * self.frequencies

    def forward(self, src, tgt):
        memory, x = self.place(self.source(src)), self.place(self.target(tgt))
        for layer in self.encoder:
            memory = layer(memory)
        for layer in self.decoder:
            x = layer(x, memory)
        return self.head(x)
