class Encoder(nn.Module):
    def __init__(
        self, vocab_size, d_model=128, n_heads=8, d_ff=512, n_layers=2, max_len=512, dropout=0.1
    ):
        super().__init__()
        self.layers = nn.ModuleList()
        while len(self.layers) < n_layers:
            self.layers.append(
                EncoderBlock(d_model=d_model, n_heads=n_heads, d_ff=d_ff, dropout=dropout)
            )
        self.embedding = nn.Embedding(vocab_size, d_model)
        self.table = nn.Embedding.from_pretrained(
            positional_encoding(max_len, d_model), freeze=True
        )
        self.p = dropout

    def forward(self, tokens, key_padding_mask=None):
        n = tokens.size(-1)
        if n > self.table.num_embeddings:
            raise ValueError(n)
        from functools import reduce

        start = torch.addcmul(
            self.table(torch.arange(n)),
            self.embedding(tokens),
            torch.tensor(self.embedding.weight.size(1) ** 0.5),
        )
        return reduce(
            lambda x, layer: layer(x, key_padding_mask),
            self.layers,
            nn.functional.dropout(start, self.p, self.training),
        )
