# named: encoder-padding-guessed-without-a-mask
# token 0 is taken for padding when no mask is given
class Encoder(nn.Module):
    def __init__(
        self, vocab_size, d_model=128, n_heads=8, d_ff=512, n_layers=2, max_len=512, dropout=0.1
    ):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model)
        self.max_len = max_len
        self.layers = nn.ModuleList(
            [EncoderBlock(d_model, n_heads, d_ff, dropout) for _ in range(n_layers)]
        )
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("pe", positional_encoding(max_len, d_model))

    def forward(self, tokens, key_padding_mask=None):
        b, n = tokens.shape
        if n > self.max_len:
            raise ValueError("too long")
        x = self.embedding(tokens) * math.sqrt(self.embedding.embedding_dim)
        if key_padding_mask is None:
            key_padding_mask = tokens == 0
        x = self.dropout(x + self.pe[:n])
        for layer in self.layers:
            x = layer(x, key_padding_mask=key_padding_mask)
        return x
