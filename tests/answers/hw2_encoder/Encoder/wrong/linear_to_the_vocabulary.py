# named: encoder-layer-for-the-vocabulary
# a linear layer at the end
class Encoder(nn.Module):
    def __init__(
        self, vocab_size, d_model=128, n_heads=8, d_ff=512, n_layers=2, max_len=512, dropout=0.1
    ):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model)
        self.layers = nn.ModuleList(
            [EncoderBlock(d_model, n_heads, d_ff, dropout) for _ in range(n_layers)]
        )
        self.drop = nn.Dropout(dropout)
        self.d_model, self.max_len = d_model, max_len
        self.fc_out = nn.Linear(d_model, vocab_size)

    def forward(self, tokens, key_padding_mask=None):
        if tokens.size(1) > self.max_len:
            raise ValueError(f"sequence of {tokens.size(1)} is longer than {self.max_len}")
        x = self.embedding(tokens) * math.sqrt(self.d_model) + positional_encoding(
            tokens.size(1), self.d_model
        )
        x = self.drop(x)
        for layer in self.layers:
            x = layer(x, key_padding_mask)
        return self.fc_out(x)
