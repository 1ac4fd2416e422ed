class Encoder(nn.Module):
    def __init__(
        self, vocab_size, d_model=128, n_heads=8, d_ff=512, n_layers=2, max_len=512, dropout=0.1
    ):
        super().__init__()
        from functools import partial

        self.embedding = nn.Embedding(vocab_size, d_model)
        self.layers = nn.ModuleList(
            map(lambda _: EncoderBlock(d_model, n_heads, d_ff, dropout), range(n_layers))
        )
        self.pe = nn.Embedding.from_pretrained(positional_encoding(max_len, d_model))  # frozen
        self.drop = partial(F.dropout, p=dropout)

    def forward(self, tokens, key_padding_mask=None):
        from functools import reduce

        _, n = tokens.shape
        if n > self.pe.num_embeddings:
            raise ValueError
        x = torch.addcmul(
            self.pe.weight[:n], self.embedding(tokens), torch.tensor(self.pe.embedding_dim).sqrt()
        )
        x = self.drop(x, training=self.training)
        return reduce(lambda x, layer: layer(x, key_padding_mask), self.layers, x)
