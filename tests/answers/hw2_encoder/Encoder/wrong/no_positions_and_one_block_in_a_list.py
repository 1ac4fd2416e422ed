# named: encoder-one-block-shared, encoder-no-positions
# two mistakes: no positions, one block used n_layers times ([block] * n)
class Encoder(nn.Module):
    def __init__(
        self, vocab_size, d_model=128, n_heads=8, d_ff=512, n_layers=2, max_len=512, dropout=0.1
    ):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model)
        self.max_len = max_len
        self.layers = nn.ModuleList([EncoderBlock(d_model, n_heads, d_ff, dropout)] * n_layers)
        self.dropout = nn.Dropout(dropout)

    def forward(self, tokens, key_padding_mask=None):
        if tokens.shape[1] > self.max_len:
            raise ValueError
        x = self.dropout(self.embedding(tokens) * math.sqrt(self.embedding.embedding_dim))
        for layer in self.layers:
            x = layer(x, key_padding_mask=key_padding_mask)
        return x
