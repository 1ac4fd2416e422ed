# named: encoder-d-ff-not-passed-on, encoder-length-off-by-one
# >= max_len; blocks made with default sizes for d_ff (d_ff not passed)
class Encoder(nn.Module):
    def __init__(
        self, vocab_size, d_model=128, n_heads=8, d_ff=512, n_layers=2, max_len=512, dropout=0.1
    ):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model)
        self.layers = nn.ModuleList(
            [EncoderBlock(d_model, n_heads, dropout=dropout) for _ in range(n_layers)]
        )
        self.dropout = nn.Dropout(dropout)
        self.max_len, self.d_model = max_len, d_model

    def forward(self, tokens, key_padding_mask=None):
        n = tokens.shape[1]
        if n >= self.max_len:
            raise ValueError(f"{n} tokens")
        x = self.embedding(tokens) * math.sqrt(self.d_model) + positional_encoding(n, self.d_model)
        x = self.dropout(x)
        for layer in self.layers:
            x = layer(x, key_padding_mask)
        return x
