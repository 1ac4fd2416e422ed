# named: encoder-padding-ignored, encoder-positions-learned-made-last
# learned positions, and no mask
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
        self.position_embeddings = nn.Embedding(max_len, d_model)

    def forward(self, tokens, key_padding_mask=None):
        if tokens.size(1) > self.max_len:
            raise ValueError(f"sequence of {tokens.size(1)} is longer than {self.max_len}")
        pos = self.position_embeddings(torch.arange(tokens.size(1)).unsqueeze(0))
        x = self.drop(self.embedding(tokens) * math.sqrt(self.d_model) + pos)
        for layer in self.layers:
            x = layer(x)
        return x
