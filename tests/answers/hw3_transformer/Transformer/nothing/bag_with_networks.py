# bags of tokens again, with positions, norms and networks between them
class Transformer(nn.Module):
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
        self.source = nn.Embedding(src_vocab, d_model)
        self.target = nn.Embedding(tgt_vocab, d_model)
        self.register_buffer("positions", positional_encoding(max_len, d_model))
        self.heads = nn.Parameter(torch.ones(n_heads))
        self.reads, self.writes = (
            nn.ModuleList(
                nn.Sequential(
                    nn.LayerNorm(d_model),
                    nn.Linear(d_model, d_ff),
                    nn.ReLU(),
                    nn.Linear(d_ff, d_model),
                    nn.Dropout(dropout),
                )
                for _ in range(n_layers)
            )
            for _ in range(2)
        )
        self.out = nn.Linear(d_model, tgt_vocab)

    def forward(self, src, tgt):
        read = self.source(src) + self.positions[: src.shape[1]]
        for layer in self.reads:
            read = read + layer(read)
        count = torch.arange(1.0, tgt.shape[1] + 1).unsqueeze(1)
        x = self.target(tgt) + self.positions[: tgt.shape[1]]
        for layer in self.writes:
            x = x + layer(x)
            x = x + x.cumsum(1) / count + read.mean(1, keepdim=True)
        return self.out(x * self.heads.mean())
