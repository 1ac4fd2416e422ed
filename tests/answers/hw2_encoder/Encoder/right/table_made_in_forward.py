# the table is made in forward, blocks by copying, functional dropout
class Encoder(nn.Module):
    def __init__(
        self, vocab_size, d_model=128, n_heads=8, d_ff=512, n_layers=2, max_len=512, dropout=0.1
    ):
        super().__init__()
        import copy

        self.embedding = nn.Embedding(vocab_size, d_model)
        block = EncoderBlock(d_model=d_model, n_heads=n_heads, d_ff=d_ff, dropout=dropout)
        self.layers = nn.ModuleList(copy.deepcopy(block) for _ in range(n_layers))
        self.max_len, self.p = max_len, dropout

    def forward(self, tokens, key_padding_mask=None):
        batch, seq_len = tokens.shape
        if not seq_len <= self.max_len:
            raise ValueError(f"at most {self.max_len} tokens, got {seq_len}")
        vectors = self.embedding(tokens)
        x = vectors * vectors.shape[-1] ** 0.5 + positional_encoding(seq_len, vectors.shape[-1])
        x = F.dropout(x, p=self.p, training=self.training)
        for number in range(len(self.layers)):
            x = self.layers[number](x, key_padding_mask=key_padding_mask)
        return x
