# the embedding by a one-hot product, a frozen nn.Embedding for the positions, recursion through
# the layers
class Encoder(nn.Module):
    def __init__(
        self, vocab_size, d_model=128, n_heads=8, d_ff=512, n_layers=2, max_len=512, dropout=0.1
    ):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model)
        self.places = nn.Embedding.from_pretrained(
            positional_encoding(max_len, d_model), freeze=True
        )
        self.layers = nn.ModuleList(
            map(lambda _: EncoderBlock(d_model, n_heads, d_ff, dropout), range(n_layers))
        )
        self.p = dropout

    def through(self, x, mask, depth):
        if depth == len(self.layers):
            return x
        return self.through(self.layers[depth](x, key_padding_mask=mask), mask, depth + 1)

    def forward(self, tokens, key_padding_mask=None):
        length = tokens.shape[1]
        if not length <= self.places.num_embeddings:
            raise ValueError(f"{length} tokens are too many")
        hot = F.one_hot(tokens, self.embedding.num_embeddings).float()
        x = hot @ self.embedding.weight * math.sqrt(self.embedding.embedding_dim)
        x = x + self.places(torch.arange(length))
        return self.through(F.dropout(x, self.p, self.training), key_padding_mask, 0)
