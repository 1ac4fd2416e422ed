# named: encoder-positions-scaled-too, encoder-length-off-by-one
# the root of d_model multiplies the sum with the positions, and max_len tokens are refused too
# (>= for >)
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
        self.dropout = nn.Dropout(dropout)

    def forward(self, tokens, key_padding_mask=None):
        seq = tokens.shape[1]
        if seq >= self.max_len:
            raise ValueError("The sequence is longer than max_len")
        x = (self.embedding(tokens) + positional_encoding(seq, self.d_model)) * math.sqrt(
            self.d_model
        )
        x = self.dropout(x)
        for layer in self.layers:
            x = layer(x, key_padding_mask)
        return x
