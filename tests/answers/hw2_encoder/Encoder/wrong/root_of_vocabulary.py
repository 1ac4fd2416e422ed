# named: encoder-scaled-by-vocabulary
# multiplies by the root of the weight's first axis, the vocabulary, instead of d_model; right
# only when the two are equal
class Encoder(nn.Module):
    def __init__(
        self, vocab_size, d_model=128, n_heads=8, d_ff=512, n_layers=2, max_len=512, dropout=0.1
    ):
        super().__init__()
        self.max_len = max_len
        self.embedding = nn.Embedding(vocab_size, d_model)
        self.layers = nn.ModuleList(
            [EncoderBlock(d_model, n_heads, d_ff, dropout) for _ in range(n_layers)]
        )
        self.dropout = nn.Dropout(dropout)

    def forward(self, tokens, key_padding_mask=None):
        (_, n), w = tokens.shape, self.embedding.weight
        if n > self.max_len:
            raise ValueError(n)
        x = w[tokens] * w.shape[0] ** 0.5 + positional_encoding(n, w.shape[-1])
        x = self.dropout(x)
        for layer in self.layers:
            x = layer(x, key_padding_mask)
        return x
