# named: encoder-dropout-of-the-positions-alone
# embeddings are not dropped out: dropout on the positions only; blocks get dropout
class Encoder(nn.Module):
    def __init__(
        self, vocab_size, d_model=128, n_heads=8, d_ff=512, n_layers=2, max_len=512, dropout=0.1
    ):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model)
        self.max_len = max_len
        self.layers = nn.ModuleList(
            [EncoderBlock(d_model, n_heads, d_ff, dropout) for _ in range(n_layers)]
        )
        self.dropout = nn.Dropout(dropout)

    def forward(self, tokens, key_padding_mask=None):
        n = tokens.shape[1]
        if n > self.max_len:
            raise ValueError("too long")
        d = self.embedding.embedding_dim
        x = self.embedding(tokens) * math.sqrt(d) + self.dropout(positional_encoding(n, d))
        for layer in self.layers:
            x = layer(x, key_padding_mask=key_padding_mask)
        return x
