# recursion over the layers; without a mask, one that hides nothing
class Encoder(nn.Module):
    def __init__(
        self, vocab_size, d_model=128, n_heads=8, d_ff=512, n_layers=2, max_len=512, dropout=0.1
    ):
        super().__init__()
        self.max_len = max_len
        self.embedding = nn.Embedding(vocab_size, d_model)
        self.layers = nn.ModuleList()
        for _ in range(n_layers):
            self.layers.append(
                EncoderBlock(d_model=d_model, n_heads=n_heads, d_ff=d_ff, dropout=dropout)
            )
        self.drop = nn.Dropout(dropout)

    def through(self, x, padding, depth=0):
        if depth == len(self.layers):
            return x
        return self.through(self.layers[depth](x, padding), padding, depth + 1)

    def forward(self, tokens, key_padding_mask=None):
        if tokens.size(1) > self.max_len:
            raise ValueError(tokens.size(1))
        if key_padding_mask is None:
            key_padding_mask = torch.zeros_like(tokens, dtype=torch.bool)
        embedded = F.embedding(tokens, self.embedding.weight)
        x = embedded.mul(math.sqrt(embedded.shape[2]))
        x = x + positional_encoding(*x.shape[1:]).repeat(len(x), 1, 1)
        return self.through(self.drop(x), key_padding_mask)
