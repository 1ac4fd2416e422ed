class Transformer(nn.Module):
    """Words and positions get half of the features each."""

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
        half = d_model // 2
        self.src_words = nn.Embedding(src_vocab, d_model - half)
        self.tgt_words = nn.Embedding(tgt_vocab, d_model - half)
        self.register_buffer("places", positional_encoding(max_len, half), persistent=False)
        self.encoder = nn.ModuleList(
            nn.TransformerEncoderLayer(d_model, n_heads, d_ff, dropout, "gelu", batch_first=True)
            for _ in range(n_layers)
        )
        self.decoder = nn.ModuleList(
            DecoderBlock(d_model, n_heads, d_ff, dropout) for _ in range(n_layers)
        )
        self.to_logits = nn.Sequential(
            nn.Linear(d_model, d_ff), nn.Tanh(), nn.Linear(d_ff, tgt_vocab)
        )

    def vectors(self, words, tokens):
        places = self.places[: tokens.shape[1]].expand(*tokens.shape, -1)
        return torch.cat([words(tokens), places], dim=-1)

    def forward(self, src, tgt):
        memory = self.vectors(self.src_words, src)
        for layer in self.encoder:
            memory = layer(memory)
        x = self.vectors(self.tgt_words, tgt)
        for layer in self.decoder:
            x = layer(x, memory)
        return self.to_logits(x)
