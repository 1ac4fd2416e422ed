# named: encoder-padding-in-first-layer-only
# the mask goes to the first block only, by enumerate
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

    def forward(self, tokens, key_padding_mask=None):
        n = tokens.shape[1]
        if n > self.max_len:
            raise ValueError(n)
        x = self.drop(
            self.embedding(tokens) * math.sqrt(self.d_model) + positional_encoding(n, self.d_model)
        )
        for i, b in enumerate(self.layers):
            x = b(x, key_padding_mask) if i == 0 else b(x)
        return x
