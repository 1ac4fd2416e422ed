class Transformer(nn.Module):
    """No mask at all: position i is computed from the first i + 1 tokens alone."""

    def __init__(
        self,
        src_vocab,
        tgt_vocab,
        d_model=64,
        n_heads=4,
        d_ff=128,
        n_layers=2,
        max_len=64,
        dropout=0.0,
    ):
        super().__init__()
        self.src_embedding = nn.Embedding(src_vocab, d_model)
        self.tgt_embedding = nn.Embedding(tgt_vocab, d_model)
        self.place = nn.Embedding(max_len, d_model)
        sizes = (d_model, n_heads, d_ff, dropout)
        self.encoder = nn.ModuleList(
            nn.TransformerEncoderLayer(*sizes, batch_first=True) for _ in range(n_layers)
        )
        self.decoder = nn.ModuleList(
            nn.TransformerDecoderLayer(*sizes, batch_first=True) for _ in range(n_layers)
        )
        self.norm = nn.LayerNorm(d_model)
        self.linear = nn.Linear(d_model, tgt_vocab)

    def last_logits(self, prefix, memory):
        x = self.tgt_embedding(prefix) + self.place(torch.arange(prefix.shape[1]))
        for layer in self.decoder:
            x = layer(x, memory)
        return self.linear(self.norm(x[:, -1]))

    def forward(self, src, tgt):
        memory = self.src_embedding(src) + self.place(torch.arange(src.shape[1]))
        for layer in self.encoder:
            memory = layer(memory)
        return torch.stack(
            [self.last_logits(tgt[:, :end], memory) for end in range(1, tgt.shape[1] + 1)], dim=1
        )
