# named: encoder-padding-in-first-layer-only
# padding only in the first layer (enumerate)
class Encoder(nn.Module):
    def __init__(
        self, vocab_size, d_model=128, n_heads=8, d_ff=512, n_layers=2, max_len=512, dropout=0.1
    ):
        super().__init__()
        self.max_len, self.d_model = max_len, d_model
        self.embedding = nn.Embedding(vocab_size, d_model)
        self.layers = nn.ModuleList(
            [EncoderBlock(d_model, n_heads, d_ff, dropout) for _ in range(n_layers)]
        )
        self.dropout = nn.Dropout(dropout)

    def forward(self, tokens, key_padding_mask=None):
        if tokens.size(1) > self.max_len:
            raise ValueError("too long")
        x = (
            self.embedding(tokens)
            .mul(self.d_model**0.5)
            .add(positional_encoding(tokens.size(1), self.d_model))
        )
        x = self.dropout(x)
        for i, layer in enumerate(self.layers):
            x = layer(x, key_padding_mask=key_padding_mask if i == 0 else None)
        return x
