# named: encoder-padding-in-first-layer-only
# the mask goes to the first layer only; beside harmless enumerate and .long()
class Encoder(nn.Module):
    def __init__(
        self, vocab_size, d_model=128, n_heads=8, d_ff=512, n_layers=2, max_len=512, dropout=0.1
    ):
        super().__init__()
        self.d_model = d_model
        self.max_len = max_len
        self.embedding = nn.Embedding(vocab_size, d_model)
        self.layers = nn.ModuleList()
        for _ in range(n_layers):
            self.layers.append(EncoderBlock(d_model, n_heads, d_ff, dropout))
        self.dropout = nn.Dropout(p=dropout)

    def forward(self, tokens, key_padding_mask=None):
        tokens = tokens.long()
        if tokens.shape[-1] > self.max_len:
            raise ValueError("sequence too long")
        x = self.embedding(tokens) * math.sqrt(self.d_model)
        x = self.dropout(x + positional_encoding(tokens.shape[-1], self.d_model).unsqueeze(0))
        for number, layer in enumerate(self.layers):
            if number == 0:
                x = layer(x, key_padding_mask)
            else:
                x = layer(x)
        return x
