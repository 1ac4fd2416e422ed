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
        self.source = nn.Embedding(src_vocab, d_model)
        self.target = nn.Embedding(tgt_vocab, d_model)
        self.source_places = nn.Embedding(max_len, d_model)
        self.target_places = nn.Embedding(max_len, d_model)
        self.transformer = nn.Transformer(
            d_model, n_heads, n_layers, n_layers, d_ff, dropout, batch_first=True
        )
        self.head = nn.Linear(d_model, tgt_vocab)

    def forward(self, src, tgt):
        s, t = src.shape[1], tgt.shape[1]
        x = self.source(src) + self.source_places(torch.arange(s))
        y = self.target(tgt) + self.target_places(torch.arange(t))
        later = self.transformer.generate_square_subsequent_mask(t)
        return self.head(self.transformer(x, y, tgt_mask=later, tgt_is_causal=True))
