# named: encoder-trains-too-much
# the positions are a trained nn.Parameter (initialised with the table); beside a harmless
# .to(device)
class Encoder(nn.Module):
    def __init__(
        self, vocab_size, d_model=128, n_heads=8, d_ff=512, n_layers=2, max_len=512, dropout=0.1
    ):
        super().__init__()
        self.d_model = d_model
        self.max_len = max_len
        self.embedding = nn.Embedding(vocab_size, d_model)
        self.positions = nn.Parameter(positional_encoding(max_len, d_model))
        self.layers = nn.ModuleList(
            [EncoderBlock(d_model, n_heads, d_ff, dropout) for _ in range(n_layers)]
        )
        self.dropout = nn.Dropout(dropout)

    def forward(self, tokens, key_padding_mask=None):
        length = tokens.shape[1]
        if length > self.max_len:
            raise ValueError(f"max_len is {self.max_len}")
        device = self.embedding.weight.device
        x = self.embedding(tokens.to(device)) * self.d_model**0.5 + self.positions[:length].to(
            device
        )
        x = self.dropout(x)
        for layer in self.layers:
            x = layer(x, key_padding_mask)
        return x
