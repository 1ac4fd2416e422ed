# named: encoder-positions-skip-the-padding
# the positions count only the tokens that are not padding (a cumulative sum), so left padding
# shifts them; right without a mask
class Encoder(nn.Module):
    def __init__(
        self, vocab_size, d_model=128, n_heads=8, d_ff=512, n_layers=2, max_len=512, dropout=0.1
    ):
        super().__init__()
        self.d_model = d_model
        self.max_len = max_len
        self.embedding = nn.Embedding(vocab_size, d_model)
        self.layers = nn.ModuleList(
            [EncoderBlock(d_model, n_heads, d_ff, dropout) for _ in range(n_layers)]
        )
        self.dropout = nn.Dropout(dropout)

    def forward(self, tokens, key_padding_mask=None):
        batch, seq = tokens.shape
        if seq > self.max_len:
            raise ValueError("too long")
        table = positional_encoding(seq, self.d_model)
        if key_padding_mask is None:
            places = torch.arange(seq).expand(batch, seq)
        else:
            places = ((~key_padding_mask).cumsum(1) - 1).clamp(min=0)
        x = self.embedding(tokens) * math.sqrt(self.d_model) + table[places]
        x = self.dropout(x)
        for layer in self.layers:
            x = layer(x, key_padding_mask=key_padding_mask)
        return x
