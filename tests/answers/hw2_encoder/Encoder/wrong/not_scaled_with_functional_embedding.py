# named: encoder-not-scaled
# no scale by sqrt(d_model), functional embedding style
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
        self.p = dropout

    def forward(self, tokens, key_padding_mask=None):
        b, n = tokens.shape
        if n > self.max_len:
            raise ValueError("too long")
        x = F.embedding(tokens, self.embedding.weight)
        x = x + positional_encoding(n, x.shape[-1]).expand_as(x)
        x = F.dropout(x, self.p, self.training)
        for layer in self.layers:
            x = layer(x, key_padding_mask)
        return x
