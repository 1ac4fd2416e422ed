# named: encoder-table-over-the-batch
class Encoder(nn.Module):
    def __init__(
        self, vocab_size, d_model=128, n_heads=8, d_ff=512, n_layers=2, max_len=512, dropout=0.1
    ):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model)
        self.layers = nn.ModuleList(
            EncoderBlock(d_model, n_heads, d_ff, dropout) for _ in range(n_layers)
        )
        self.max_len = max_len
        self.drop = nn.Dropout(dropout)
        self.d = d_model

    def forward(self, tokens, key_padding_mask=None):
        if tokens.shape[1] > self.max_len:
            raise ValueError
        pe = positional_encoding(self.max_len, self.d)
        h = self.drop(self.embedding(tokens) * self.d**0.5 + pe[: tokens.size(0)].unsqueeze(1))
        for l in self.layers:
            h = l(h, key_padding_mask)
        return h
