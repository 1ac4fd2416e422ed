class Encoder(nn.Module):
    def __init__(
        self, vocab_size, d_model=128, n_heads=8, d_ff=512, n_layers=2, max_len=512, dropout=0.1
    ):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model)
        self.positions = nn.Embedding.from_pretrained(
            positional_encoding(max_len, d_model), freeze=True
        )
        self.layers = nn.ModuleList(
            [EncoderBlock(d_model, n_heads, d_ff, dropout=dropout) for _ in range(n_layers)]
        )
        self.dropout = nn.Dropout(dropout)

    def forward(self, tokens, key_padding_mask=None):
        where = torch.arange(tokens.size(1), device=tokens.device)
        try:
            place = self.positions(where)
        except IndexError as error:
            raise ValueError("sequence is longer than max_len") from error
        x = self.dropout(self.embedding(tokens) * self.embedding.embedding_dim**0.5 + place)
        for layer in self.layers:
            x = layer(x, key_padding_mask=key_padding_mask)
        return x
