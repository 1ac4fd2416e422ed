# named: encoder-dropout-keeps-the-rate
# nn.Dropout(1 - dropout)
class Encoder(nn.Module):
    def __init__(
        self, vocab_size, d_model=128, n_heads=8, d_ff=512, n_layers=2, max_len=512, dropout=0.1
    ):
        super().__init__()
        self.max_len = max_len
        self.scale = math.sqrt(d_model)
        self.embedding = nn.Embedding(vocab_size, d_model)
        self.layers = nn.ModuleList(
            [EncoderBlock(d_model, n_heads, d_ff, dropout) for _ in range(n_layers)]
        )
        self.dropout = nn.Dropout(1 - dropout)
        self.register_buffer("table", positional_encoding(max_len, d_model), persistent=False)

    def forward(self, tokens, key_padding_mask=None):
        seq = tokens.shape[1]
        if seq > self.max_len:
            raise ValueError("too long")
        x = self.dropout(self.embedding(tokens) * self.scale + self.table[:seq])
        for layer in self.layers:
            x = layer(x, key_padding_mask)
        return x
