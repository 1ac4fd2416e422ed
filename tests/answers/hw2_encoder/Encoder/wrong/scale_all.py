# named: encoder-positions-scaled-too
# the sum of embedding and positions is scaled
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
        if tokens.shape[-1] > self.max_len:
            raise ValueError("sequence longer than max_len")
        x = self.embedding(tokens)
        x = (x + positional_encoding(tokens.shape[-1], x.shape[-1])) * self.d_model**0.5
        x = self.drop(x)
        for layer in self.layers:
            x = layer(x, key_padding_mask=key_padding_mask)
        return x
