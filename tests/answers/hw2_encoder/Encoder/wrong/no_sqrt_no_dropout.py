# named: encoder-not-scaled, encoder-no-dropout
# neither root nor dropout
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
        T = tokens.size(1)
        if T > self.max_len:
            raise ValueError("too long")
        h = self.embedding(tokens)
        h = h + positional_encoding(T, self.d_model).unsqueeze(0)
        for block in self.layers:
            h = block(h, key_padding_mask)
        return h
