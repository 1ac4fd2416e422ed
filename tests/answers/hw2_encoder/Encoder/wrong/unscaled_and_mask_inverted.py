# named: encoder-not-scaled, encoder-padding-inverted
# the embeddings are unscaled, and the mask is inverted
class Encoder(nn.Module):
    def __init__(
        self, vocab_size, d_model=128, n_heads=8, d_ff=512, n_layers=2, max_len=512, dropout=0.1
    ):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model)
        self.layers = nn.ModuleList(
            [EncoderBlock(d_model, n_heads, d_ff, dropout) for _ in range(n_layers)]
        )
        self.dropout = nn.Dropout(dropout)
        self.max_len, self.d_model = max_len, d_model
        self.register_buffer("pe", positional_encoding(max_len, d_model)[None])

    def forward(self, tokens, key_padding_mask=None):
        if tokens.size(1) > self.max_len:
            raise ValueError("too long")
        h = self.dropout(self.embedding(tokens) + self.pe[:, : tokens.size(1)])
        m = None if key_padding_mask is None else ~key_padding_mask
        for l in self.layers:
            h = l(h, key_padding_mask=m)
        return h
