# named: encoder-padding-in-first-layer-only
# mask to layers[0] alone
class Encoder(nn.Module):
    def __init__(
        self, vocab_size, d_model=128, n_heads=8, d_ff=512, n_layers=2, max_len=512, dropout=0.1
    ):
        super().__init__()
        self.d_model, self.max_len = d_model, max_len
        self.embedding = nn.Embedding(vocab_size, d_model)
        self.layers = nn.ModuleList()
        for _ in range(n_layers):
            self.layers.append(EncoderBlock(d_model, n_heads, d_ff, dropout))
        self.drop = nn.Dropout(dropout)

    def forward(self, tokens, key_padding_mask=None):
        if tokens.shape[1] > self.max_len:
            raise ValueError("too long")
        x = self.embedding(tokens) * self.d_model**0.5
        x = self.drop(x + positional_encoding(tokens.shape[1], self.d_model))
        first, *others = self.layers
        x = first(x, key_padding_mask)  # padding is gone after the first layer
        for layer in others:
            x = layer(x)
        return x
