# named: encoder-positions-of-the-words
class Encoder(nn.Module):
    def __init__(self, vocab_size, d_model=128, n_heads=8, d_ff=512, n_layers=2, max_len=512, dropout=0.1):
        super().__init__()
        self.d_model, self.max_len = d_model, max_len
        self.embedding = nn.Embedding(vocab_size, d_model)
        self.layers = nn.ModuleList([EncoderBlock(d_model, n_heads, d_ff, dropout) for _ in range(n_layers)])
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("pe", positional_encoding(max(max_len, vocab_size), d_model))

    def forward(self, tokens, key_padding_mask=None):
        if tokens.size(1) > self.max_len:
            raise ValueError("sequence too long")
        x = self.dropout(self.embedding(tokens) * math.sqrt(self.d_model) + self.pe[tokens])
        for layer in self.layers:
            x = layer(x, key_padding_mask)
        return x
