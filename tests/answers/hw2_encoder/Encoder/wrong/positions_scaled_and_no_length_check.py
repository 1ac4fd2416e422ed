# named: encoder-length-not-checked, encoder-positions-scaled-too
# (emb + pe) * sqrt(d), no ValueError
class Encoder(nn.Module):
    def __init__(
        self, vocab_size, d_model=128, n_heads=8, d_ff=512, n_layers=2, max_len=512, dropout=0.1
    ):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model)
        self.layers = nn.ModuleList(
            [EncoderBlock(d_model, n_heads, d_ff, dropout) for _ in range(n_layers)]
        )
        self.drop = nn.Dropout(dropout)
        self.d_model = d_model

    def forward(self, tokens, key_padding_mask=None):
        x = self.embedding(tokens) + positional_encoding(tokens.shape[1], self.d_model)
        x = self.drop(x * math.sqrt(self.d_model))
        for layer in self.layers:
            x = layer(x, key_padding_mask=key_padding_mask)
        return x
