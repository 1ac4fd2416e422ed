# named: encoder-dropout-not-passed-on
# dropout is not handed to the layers, they keep their default of 0.1
class Encoder(nn.Module):
    def __init__(
        self, vocab_size, d_model=128, n_heads=8, d_ff=512, n_layers=2, max_len=512, dropout=0.1
    ):
        super().__init__()
        self.scale = d_model**0.5
        self.max_len = max_len
        self.embedding = nn.Embedding(vocab_size, d_model)
        self.pe = positional_encoding(max_len, d_model)
        self.layers = nn.ModuleList([EncoderBlock(d_model, n_heads, d_ff) for _ in range(n_layers)])
        self.dropout = nn.Dropout(dropout)

    def forward(self, tokens, key_padding_mask=None):
        if tokens.shape[1] > self.max_len:
            raise ValueError("too long")
        x = self.dropout(self.embedding(tokens) * self.scale + self.pe[: tokens.shape[1]])
        for layer in self.layers:
            x = layer(x, key_padding_mask)
        return x
