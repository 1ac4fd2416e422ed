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
        self.places = nn.Embedding.from_pretrained(
            positional_encoding(max_len, d_model), freeze=False
        )
        self.encoder = nn.TransformerEncoder(
            nn.TransformerEncoderLayer(d_model, n_heads, d_ff, dropout), n_layers
        )
        self.decoder = nn.TransformerDecoder(
            nn.TransformerDecoderLayer(d_model, n_heads, d_ff, dropout), n_layers
        )
        self.classifier = nn.Linear(d_model, tgt_vocab)

    def one(self, src, tgt):
        memory = self.encoder(self.embed_src(src) + self.places.weight[: len(src)])
        mask = nn.Transformer.generate_square_subsequent_mask(len(tgt))
        x = self.embed_tgt(tgt) + self.places.weight[: len(tgt)]
        return self.classifier(self.decoder(x, memory, mask))

    def forward(self, src, tgt):
        return torch.stack([self.one(a, b) for a, b in zip(src, tgt)])
