# named: encoder-positions-scaled-too
# the sum is multiplied by the root; the table is a frozen parameter
class Encoder(nn.Module):
    def __init__(
        self, vocab_size, d_model=128, n_heads=8, d_ff=512, n_layers=2, max_len=512, dropout=0.1
    ):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model)
        self.layers = nn.ModuleList(
            [EncoderBlock(d_model, n_heads, d_ff, dropout) for _ in range(n_layers)]
        )
        self.dropout = nn.Dropout(dropout)
        self.pe = nn.Parameter(positional_encoding(max_len, d_model), requires_grad=False)

    def forward(self, tokens, key_padding_mask=None):
        if tokens.shape[-1] > self.pe.shape[0]:
            raise ValueError
        z = (self.embedding(tokens) + self.pe[: tokens.shape[-1]]) * math.sqrt(self.pe.shape[1])
        z = self.dropout(z)
        for l in self.layers:
            z = l(z, key_padding_mask=key_padding_mask)
        return z
