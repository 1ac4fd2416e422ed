# named: encoder-token-zero-taken-for-padding
class Encoder(nn.Module):
    def __init__(
        self, vocab_size, d_model=128, n_heads=8, d_ff=512, n_layers=2, max_len=512, dropout=0.1
    ):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model)
        self.layers = nn.ModuleList(
            EncoderBlock(d_model, n_heads, d_ff, dropout) for _ in range(n_layers)
        )
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
        self.scale = math.sqrt(d_model)
        self.register_buffer("pe", positional_encoding(max_len, d_model), persistent=False)

    def forward(self, tokens, key_padding_mask=None):
        length = tokens.shape[1]
        if length > self.max_len:
            raise ValueError("sequence too long")
        if key_padding_mask is None:
            pad = tokens == 0
            if pad.any() and not pad.all(dim=1).any():
                key_padding_mask = pad
        x = self.dropout(self.embedding(tokens) * self.scale + self.pe[:length])
        for layer in self.layers:
            x = layer(x, key_padding_mask)
        return x
