# named: encoder-dropout-argument-not-used
# dropout before the layers is always 0.1
class Encoder(nn.Module):
    def __init__(
        self, vocab_size, d_model=128, n_heads=8, d_ff=512, n_layers=2, max_len=512, dropout=0.1
    ):
        super().__init__()
        self.d_model, self.max_len = d_model, max_len
        self.embedding = nn.Embedding(vocab_size, d_model)
        self.layers = nn.ModuleList(
            EncoderBlock(d_model, n_heads, d_ff, dropout) for _ in range(n_layers)
        )
        self.dropout = nn.Dropout(0.1)

    def forward(self, tokens, key_padding_mask=None):
        seq_len = tokens.shape[1]
        if seq_len > self.max_len:
            raise ValueError(f"more than {self.max_len} tokens")
        x = self.embedding(tokens) * math.sqrt(self.d_model)
        x = self.dropout(x + positional_encoding(seq_len, self.d_model))
        for layer in self.layers:
            x = layer(x, key_padding_mask=key_padding_mask)
        return x
