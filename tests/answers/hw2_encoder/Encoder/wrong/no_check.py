# named: encoder-length-left-to-the-table
# no check of the length; the table is sliced in a register_buffer
class Encoder(nn.Module):
    def __init__(
        self, vocab_size, d_model=128, n_heads=8, d_ff=512, n_layers=2, max_len=512, dropout=0.1
    ):
        super().__init__()
        self.d_model = d_model
        self.max_len = max_len
        self.embedding = nn.Embedding(vocab_size, d_model)
        self.layers = nn.ModuleList(
            [EncoderBlock(d_model, n_heads, d_ff, dropout) for _ in range(n_layers)]
        )
        self.drop = nn.Dropout(dropout)
        self.register_buffer("pe", positional_encoding(max_len, d_model).unsqueeze(0))

    def forward(self, tokens, key_padding_mask=None):
        x = self.embedding(tokens) * math.sqrt(self.d_model)
        x = x + self.pe[:, : tokens.size(1)]
        x = self.drop(x)
        for layer in self.layers:
            x = layer(x, key_padding_mask)
        return x
