# named: encoder-length-off-by-one
# >= for >
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
        self.d_model, self.max_len = d_model, max_len

    def forward(self, tokens, key_padding_mask=None):
        if tokens.size(1) >= self.max_len:
            raise ValueError(f"Sequence length {tokens.size(1)} exceeds max_len {self.max_len}")
        x = self.embedding(tokens) * np.sqrt(self.d_model)
        x = x + positional_encoding(x.size(1), self.d_model).unsqueeze(0)
        x = self.dropout(x)
        for layer in self.layers:
            x = layer(x, key_padding_mask=key_padding_mask)
        return x
