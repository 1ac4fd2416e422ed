# named: encoder-positions-learned
# a learned table under another name
class Encoder(nn.Module):
    def __init__(
        self, vocab_size, d_model=128, n_heads=8, d_ff=512, n_layers=2, max_len=512, dropout=0.1
    ):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model)
        self.position_embedding = nn.Embedding(max_len, d_model)
        self.layers = nn.ModuleList(
            [EncoderBlock(d_model, n_heads, d_ff, dropout) for _ in range(n_layers)]
        )
        self.dropout = nn.Dropout(dropout)
        self.d_model, self.max_len = d_model, max_len

    def forward(self, tokens, key_padding_mask=None):
        N, L = tokens.shape
        if L > self.max_len:
            raise ValueError("too long")
        positions = torch.arange(0, L).expand(N, L)
        x = self.dropout(
            self.embedding(tokens) * math.sqrt(self.d_model) + self.position_embedding(positions)
        )
        for layer in self.layers:
            x = layer(x, key_padding_mask=key_padding_mask)
        return x
