# named: encoder-padding-in-first-layer-only, encoder-no-dropout
# only the first layer gets the mask, and the sum does not drop out
class Encoder(nn.Module):
    def __init__(
        self, vocab_size, d_model=128, n_heads=8, d_ff=512, n_layers=2, max_len=512, dropout=0.1
    ):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model)
        self.layers = nn.ModuleList(
            [EncoderBlock(d_model, n_heads, d_ff, dropout) for _ in range(n_layers)]
        )
        self.drop, self.max_len, self.d_model = nn.Dropout(dropout), max_len, d_model

    def forward(self, tokens, key_padding_mask=None):
        length = tokens.shape[1]
        if length > self.max_len:
            raise ValueError("length > max_len")
        x = self.embedding(tokens) * self.d_model**0.5 + positional_encoding(length, self.d_model)
        first, *rest = self.layers
        x = first(x, key_padding_mask)
        for layer in rest:
            x = layer(x)
        return x
