# named: encoder-trains-too-much
# the positions are a parameter (nn.Parameter, trained) that starts as the sinusoidal table
class Encoder(nn.Module):
    def __init__(
        self, vocab_size, d_model=128, n_heads=8, d_ff=512, n_layers=2, max_len=512, dropout=0.1
    ):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model)
        self.pos = nn.Parameter(positional_encoding(max_len, d_model))
        self.layers = nn.ModuleList(
            [EncoderBlock(d_model, n_heads, d_ff, dropout) for _ in range(n_layers)]
        )
        self.dropout = nn.Dropout(dropout)

    def forward(self, tokens, key_padding_mask=None):
        if tokens.shape[1] > len(self.pos):
            raise ValueError("too long")
        x = self.embedding(tokens) * self.pos.shape[1] ** 0.5 + self.pos[: tokens.shape[1]]
        x = self.dropout(x)
        for layer in self.layers:
            x = layer(x, key_padding_mask=key_padding_mask)
        return x
