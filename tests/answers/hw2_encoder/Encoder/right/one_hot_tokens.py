# one-hot tokens, and a frozen embedding of positions
class Encoder(nn.Module):
    def __init__(
        self, vocab_size, d_model=128, n_heads=8, d_ff=512, n_layers=2, max_len=512, dropout=0.1
    ):
        super().__init__()
        self.vocab_size, self.max_len = vocab_size, max_len
        self.embedding = nn.Embedding(vocab_size, d_model)
        self.positions = nn.Embedding.from_pretrained(
            positional_encoding(max_len, d_model), freeze=True
        )
        self.layers = nn.ModuleList(
            [
                EncoderBlock(d_model=d_model, n_heads=n_heads, d_ff=d_ff, dropout=dropout)
                for _ in range(n_layers)
            ]
        )
        self.dropout = nn.Dropout(dropout)
        self.scale = math.sqrt(d_model)

    def forward(self, tokens, key_padding_mask=None):
        if tokens.size(-1) > self.max_len:
            raise ValueError("too long")
        one_hot = F.one_hot(tokens, self.vocab_size).float()
        x = (one_hot @ self.embedding.weight).mul(self.scale) + self.positions(
            torch.arange(tokens.size(-1))
        )
        x = self.dropout(x)
        for i in range(len(self.layers)):
            x = self.layers[i](x, key_padding_mask=key_padding_mask)
        return x
