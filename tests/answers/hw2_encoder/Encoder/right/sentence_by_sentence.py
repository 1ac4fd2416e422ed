# one sentence after another, positions looked up by number, results stacked
class Encoder(nn.Module):
    def __init__(
        self, vocab_size, d_model=128, n_heads=8, d_ff=512, n_layers=2, max_len=512, dropout=0.1
    ):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model)
        self.table = positional_encoding(max_len, d_model)
        self.dropout = nn.Dropout(dropout)
        self.layers = nn.ModuleList(
            [EncoderBlock(d_model, n_heads, d_ff, dropout) for _ in range(n_layers)]
        )

    def one_sentence(self, tokens, padding):
        if len(tokens) > len(self.table):
            raise ValueError("too many words")
        x = torch.stack(
            [
                self.embedding.weight[token] * len(self.table[0]) ** 0.5 + self.table[place]
                for place, token in enumerate(tokens.tolist())
            ]
        )
        x = self.dropout(x).unsqueeze(0)
        for layer in self.layers:
            x = layer(x, None if padding is None else padding.unsqueeze(0))
        return x[0]

    def forward(self, tokens, key_padding_mask=None):
        masks = [None] * len(tokens) if key_padding_mask is None else key_padding_mask
        return torch.stack([self.one_sentence(t, mask) for t, mask in zip(tokens, masks)])
