# named: encoder-gradient-stopped
# the embedding is looked up under no_grad
class Encoder(nn.Module):
    def __init__(
        self, vocab_size, d_model=128, n_heads=8, d_ff=512, n_layers=2, max_len=512, dropout=0.1
    ):
        super().__init__()
        self.d_model = d_model
        self.max_len = max_len
        self.embedding = nn.Embedding(vocab_size, d_model)
        self.register_buffer("pe", positional_encoding(max_len, d_model))
        self.layers = nn.ModuleList(
            [EncoderBlock(d_model, n_heads, d_ff, dropout) for _ in range(n_layers)]
        )
        self.dropout = nn.Dropout(dropout)

    def forward(self, tokens, key_padding_mask=None):
        B, T = tokens.shape
        if T > self.max_len:
            raise ValueError(f"sequence of {T} tokens is longer than {self.max_len}")
        with torch.no_grad():
            x = self.embedding(tokens)
        x = x * math.sqrt(self.d_model)
        x = self.dropout(x + self.pe[:T])
        for layer in self.layers:
            x = layer(x, key_padding_mask=key_padding_mask)
        return x
