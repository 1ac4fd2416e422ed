class Transformer(nn.Module):
    """Both sides share one table of embeddings; a vector of its own says which side a token is on."""

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
        self.words = nn.Embedding(max(src_vocab, tgt_vocab), d_model)
        self.sides = nn.Parameter(torch.randn(2, d_model))
        self.positions = positional_encoding(max_len, d_model)
        self.encoder_layers = nn.ModuleList()
        self.decoder_layers = nn.ModuleList()
        for _ in range(n_layers):
            self.encoder_layers.append(
                nn.TransformerEncoderLayer(d_model, n_heads, d_ff, dropout, batch_first=True)
            )
            self.decoder_layers.append(DecoderBlock(d_model, n_heads, d_ff, dropout))
        self.project = nn.Linear(d_model, tgt_vocab)

    def embed(self, tokens, side):
        return self.words(tokens) + self.sides[side] + self.positions[: tokens.shape[1]]

    def forward(self, src, tgt):
        memory, x = self.embed(src, 0), self.embed(tgt, 1)
        for layer in self.encoder_layers:
            memory = layer(memory)
        for layer in self.decoder_layers:
            x = layer(x, memory)
        return self.project(x)
