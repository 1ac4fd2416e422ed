# named: crash-not-callable
# a ModuleList is called like an nn.Sequential
class Encoder(nn.Module):
    def __init__(self, vocab_size, d_model=128, n_heads=8, d_ff=512, n_layers=2, max_len=512, dropout=0.1):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model)
        self.layers = nn.ModuleList([EncoderBlock(d_model, n_heads, d_ff, dropout) for _ in range(n_layers)])
        self.register_buffer("pe", positional_encoding(max_len, d_model))
        self.dropout = nn.Dropout(dropout)
        self.d_model = d_model
        self.max_len = max_len

    def forward(self, tokens, key_padding_mask=None):
        if tokens.size(1) > self.max_len:
            raise ValueError("sequence longer than max_len")
        x = self.embedding(tokens) * math.sqrt(self.d_model) + self.pe[: tokens.size(1)]
        return self.layers(self.dropout(x), key_padding_mask)
