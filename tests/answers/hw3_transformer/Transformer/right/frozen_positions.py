class Transformer(nn.Module):
    """The table of positions is an embedding that does not learn."""

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
        self.places = nn.Embedding.from_pretrained(positional_encoding(max_len, d_model))
        self.net = nn.Transformer(
            d_model, n_heads, n_layers, n_layers, d_ff, dropout, batch_first=True
        )
        self.head = nn.Linear(d_model, tgt_vocab)

    def forward(self, src, tgt):
        x = self.source(src) + self.places(torch.arange(src.shape[1]))
        y = self.target(tgt) + self.places(torch.arange(tgt.shape[1]))
        mask = ~causal_mask(tgt.shape[1])
        return self.head(self.net(x, y, tgt_mask=mask))
