# named: encoder-positions-scaled-too
# scale multiplies positions too ((emb + pos) * sqrt d), with a deepcopy of layers
class Encoder(nn.Module):
    def __init__(
        self, vocab_size, d_model=128, n_heads=8, d_ff=512, n_layers=2, max_len=512, dropout=0.1
    ):
        super().__init__()
        import copy

        self.max_len = max_len
        self.embedding = nn.Embedding(vocab_size, d_model)
        block = EncoderBlock(d_model, n_heads, d_ff, dropout)
        self.layers = nn.ModuleList([copy.deepcopy(block) for _ in range(n_layers)])
        self.dropout = nn.Dropout(dropout)
        self.d_model = d_model

    def forward(self, tokens, key_padding_mask=None):
        n = tokens.shape[1]
        if n > self.max_len:
            raise ValueError("too long")
        x = (
            self.embedding(tokens) + positional_encoding(n, self.d_model).unsqueeze(0)
        ) * math.sqrt(self.d_model)
        x = self.dropout(x)
        for layer in self.layers:
            x = layer(x, key_padding_mask=key_padding_mask)
        return x
