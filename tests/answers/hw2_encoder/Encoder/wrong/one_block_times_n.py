# named: encoder-one-block-shared
# all layers are one block ([block] * n_layers)
class Encoder(nn.Module):
    def __init__(
        self, vocab_size, d_model=128, n_heads=8, d_ff=512, n_layers=2, max_len=512, dropout=0.1
    ):
        super().__init__()
        self.max_len, self.d_model = max_len, d_model
        self.embedding = nn.Embedding(vocab_size, d_model)
        self.layers = nn.ModuleList([EncoderBlock(d_model, n_heads, d_ff, dropout)] * n_layers)
        self.dropout = nn.Dropout(dropout)

    def forward(self, tokens, key_padding_mask=None):
        n = tokens.shape[1]
        if n > self.max_len:
            raise ValueError(f"{n} tokens, at most {self.max_len} allowed")
        x = self.embedding(tokens).mul(self.d_model**0.5).add(positional_encoding(n, self.d_model))
        x = self.dropout(x)
        for layer in self.layers:
            x = layer(x, key_padding_mask=key_padding_mask)
        return x
