# named: encoder-dropout-before-the-positions
# dropout on the embedding before positions are added
class Encoder(nn.Module):
    def __init__(
        self, vocab_size, d_model=128, n_heads=8, d_ff=512, n_layers=2, max_len=512, dropout=0.1
    ):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model)
        self.register_buffer("pe", positional_encoding(max_len, d_model))
        self.layers = nn.ModuleList(
            EncoderBlock(d_model, n_heads, d_ff, dropout) for _ in range(n_layers)
        )
        self.dropout = nn.Dropout(dropout)

    def forward(self, tokens, key_padding_mask=None):
        n = tokens.size(1)
        if n > len(self.pe):
            raise ValueError(f"sequence of {n} tokens, but max_len is {len(self.pe)}")
        x = self.dropout(self.embedding(tokens) * math.sqrt(self.embedding.embedding_dim))
        x = x + self.pe[:n]
        for layer in self.layers:
            x = layer(x, key_padding_mask)
        return x
