class _Input(nn.Module):
    def __init__(self, embedding, max_len, dropout):
        super().__init__()
        self.embedding, self.drop = embedding, nn.Dropout(dropout)
        self.pe = nn.Parameter(
            positional_encoding(max_len, embedding.embedding_dim), requires_grad=False
        )

    def forward(self, tokens):
        if tokens.shape[1] > self.pe.shape[0]:
            raise ValueError("longer than max_len")
        return self.drop(
            self.embedding(tokens) * self.embedding.embedding_dim**0.5 + self.pe[: tokens.shape[1]]
        )


class Encoder(nn.Module):
    def __init__(
        self, vocab_size, d_model=128, n_heads=8, d_ff=512, n_layers=2, max_len=512, dropout=0.1
    ):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model)
        self.input = _Input(self.embedding, max_len, dropout)
        self.layers = nn.ModuleList(
            [EncoderBlock(d_model, n_heads, d_ff, dropout) for _ in range(n_layers)]
        )

    def forward(self, tokens, key_padding_mask=None):
        x = self.input(tokens)
        for layer in self.layers:
            x = layer(x, key_padding_mask=key_padding_mask)
        return x
