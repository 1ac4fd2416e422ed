# named: encoder-length-clamped
# a sequence beyond max_len raises nothing: its positions are clamped to the last row of the
# table
class Encoder(nn.Module):
    def __init__(
        self, vocab_size, d_model=128, n_heads=8, d_ff=512, n_layers=2, max_len=512, dropout=0.1
    ):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model)
        self.layers = nn.ModuleList(
            [EncoderBlock(d_model, n_heads, d_ff, dropout) for _ in range(n_layers)]
        )
        self.places = nn.Embedding.from_pretrained(
            positional_encoding(max_len, d_model), freeze=True
        )
        self.dropout = nn.Dropout(dropout)

    def forward(self, tokens, key_padding_mask=None):
        place = torch.arange(tokens.shape[-1]).clamp(max=self.places.num_embeddings - 1)
        x = self.dropout(
            self.embedding(tokens) * math.sqrt(self.embedding.embedding_dim) + self.places(place)
        )
        for layer in self.layers:
            x = layer(x, key_padding_mask)
        return x
