# named: encoder-residual-from-the-embeddings-after-each-layer
# what went into the first layer is added to what each returns
class Encoder(nn.Module):
    def __init__(
        self, vocab_size, d_model=128, n_heads=8, d_ff=512, n_layers=2, max_len=512, dropout=0.1
    ):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model)
        self.layers = nn.ModuleList(
            EncoderBlock(d_model, n_heads, d_ff, dropout) for _ in range(n_layers)
        )
        self.drop = nn.Dropout(dropout)
        self.max_len = max_len
        self.d = d_model

    def forward(self, tokens, key_padding_mask=None):
        if tokens.shape[1] > self.max_len:
            raise ValueError("too long")
        x = self.drop(
            self.embedding(tokens) * self.d**0.5 + positional_encoding(tokens.shape[1], self.d)
        )
        e = x
        for layer in self.layers:
            x = layer(x, key_padding_mask) + e
        return x
