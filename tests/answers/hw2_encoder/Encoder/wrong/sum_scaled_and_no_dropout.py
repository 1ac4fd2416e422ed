# named: encoder-positions-scaled-too, encoder-no-dropout
# the sum is scaled, and does not drop out
class Encoder(nn.Module):
    def __init__(
        self, vocab_size, d_model=128, n_heads=8, d_ff=512, n_layers=2, max_len=512, dropout=0.1
    ):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model)
        self.layers = nn.ModuleList(
            [EncoderBlock(d_model, n_heads, d_ff, dropout) for _ in range(n_layers)]
        )
        self.scale, self.max_len = math.sqrt(d_model), max_len

    def forward(self, tokens, key_padding_mask=None):
        if tokens.size(1) > self.max_len:
            raise ValueError(f"more than {self.max_len} tokens")
        e = self.embedding(tokens)
        x = (e + positional_encoding(e.size(1), e.size(2))) * self.scale
        for layer in self.layers:
            x = layer(x, key_padding_mask)
        return x
