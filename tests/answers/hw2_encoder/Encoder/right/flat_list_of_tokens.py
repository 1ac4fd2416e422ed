# everything flattened to one long list of tokens and back before the layers; settings in a dict
class Encoder(nn.Module):
    def __init__(
        self, vocab_size, d_model=128, n_heads=8, d_ff=512, n_layers=2, max_len=512, dropout=0.1
    ):
        super().__init__()
        block = dict(d_model=d_model, n_heads=n_heads, d_ff=d_ff, dropout=dropout)
        self.embedding = nn.Embedding(vocab_size, d_model)
        self.layers = nn.ModuleList(EncoderBlock(**block) for _ in [None] * n_layers)
        self.register_buffer("places", positional_encoding(max_len, d_model) / d_model**0.5)
        self.rate = dropout

    def vectors(self, tokens):
        number = torch.arange(tokens.shape[1]).expand(tokens.shape).flatten()
        flat = self.embedding.weight.index_select(0, tokens.flatten()) + self.places[number]
        return flat.unflatten(0, tokens.shape) * flat.shape[1] ** 0.5

    def forward(self, tokens, key_padding_mask=None):
        if tokens.shape[1] > self.places.shape[0]:
            raise ValueError("longer than max_len")
        x = F.dropout(self.vectors(tokens), self.rate, training=self.training)
        for layer in self.layers:
            x = layer(x, key_padding_mask)
        return x
