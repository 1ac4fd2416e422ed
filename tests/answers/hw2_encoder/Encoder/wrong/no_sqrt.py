# named: encoder-not-scaled
# the root of d_model is missing
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
        B, T = tokens.shape
        if T > self.max_len:
            raise ValueError("too long")
        h = self.drop(
            self.embedding(tokens) + positional_encoding(T, self.d_model).to(tokens.device)
        )
        for block in self.layers:
            h = block(h, key_padding_mask)
        return h
