# named: encoder-not-scaled, encoder-no-dropout
# embeddings are not scaled, and the sum does not drop out
class Encoder(nn.Module):
    def __init__(
        self, vocab_size, d_model=128, n_heads=8, d_ff=512, n_layers=2, max_len=512, dropout=0.1
    ):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model)
        self.layers = nn.ModuleList(
            [EncoderBlock(d_model, n_heads, d_ff, dropout) for _ in range(n_layers)]
        )
        self.register_buffer("pos", positional_encoding(max_len, d_model))
        self.dropout = nn.Dropout(dropout)

    def forward(self, tokens, key_padding_mask=None):
        if tokens.shape[-1] > self.pos.shape[0]:
            raise ValueError("sequence too long")
        h = self.embedding(tokens)
        h = h + self.pos[: h.shape[1]]
        for layer in self.layers:
            h = layer(h, key_padding_mask)
        return h
