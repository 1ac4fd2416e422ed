# named: encoder-length-off-by-one
# max_len off by one (>=), beside a .long() that does nothing
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
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("pe", positional_encoding(max_len, d_model).unsqueeze(0))

    def forward(self, tokens, key_padding_mask=None):
        tokens = tokens.long()
        if tokens.shape[1] >= self.max_len:
            raise ValueError(f"sequence longer than {self.max_len}")
        x = self.embedding(tokens) * self.scale
        x = self.dropout(x + self.pe[:, : tokens.shape[1]].requires_grad_(False))
        for layer in self.layers:
            x = layer(x, key_padding_mask=key_padding_mask)
        return x
