class Encoder(nn.Module):
    def __init__(
        self, vocab_size, d_model=128, n_heads=8, d_ff=512, n_layers=2, max_len=512, dropout=0.1
    ):
        super().__init__()
        self.config = dict(d_model=d_model, n_heads=n_heads, d_ff=d_ff, dropout=dropout)
        self.embedding, self.max_len = nn.Embedding(vocab_size, d_model), max_len
        self.layers = nn.ModuleList(EncoderBlock(**self.config) for _ in [None] * n_layers)
        self.dropout = nn.Dropout(dropout)

    def forward(self, tokens, key_padding_mask=None):
        if not tokens.shape[1] <= self.max_len:
            raise ValueError(f"{tokens.shape[1]} > {self.max_len}")
        one_hot = F.one_hot(tokens, self.embedding.num_embeddings).float()
        x = one_hot @ self.embedding.weight * math.sqrt(self.config["d_model"])
        x = x + torch.stack(
            [positional_encoding(tokens.shape[1], self.config["d_model"])] * len(tokens)
        )
        x = self.dropout(x)
        i = 0
        while i < len(self.layers):
            x = self.layers[i].forward(x, key_padding_mask=key_padding_mask)
            i += 1
        return x
