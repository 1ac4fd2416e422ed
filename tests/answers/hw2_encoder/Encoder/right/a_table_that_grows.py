# a table that grows when it is needed, kept outside the state
class Encoder(nn.Module):
    def __init__(
        self, vocab_size, d_model=128, n_heads=8, d_ff=512, n_layers=2, max_len=512, dropout=0.1
    ):
        super().__init__()
        self.options = dict(d_model=d_model, n_heads=n_heads, d_ff=d_ff, dropout=dropout)
        self.embedding = nn.Embedding(vocab_size, d_model)
        self.layers = nn.ModuleList([EncoderBlock(**self.options) for _ in range(n_layers)])
        self.drop = nn.Dropout(dropout)
        self.limit, self.known = max_len, positional_encoding(1, d_model)

    def positions(self, length):
        if length > self.limit:
            raise ValueError(f"at most {self.limit} tokens")
        if length > self.known.shape[0]:
            self.known = positional_encoding(length, self.options["d_model"])
        return self.known[:length]

    def forward(self, tokens, key_padding_mask=None):
        positions = self.positions(tokens.shape[1])
        x = self.drop(positions + math.sqrt(self.options["d_model"]) * self.embedding(tokens))
        for block in self.layers:
            x = block(x, key_padding_mask)
        return x
