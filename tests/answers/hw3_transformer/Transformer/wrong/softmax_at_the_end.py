# named: transformer-probabilities
# one embedding for both vocabularies (src_vocab), softmax at the end
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
        self.src = nn.Embedding(src_vocab, d_model)
        self.tgt = nn.Embedding(tgt_vocab, d_model)
        self.pos = nn.Parameter(torch.randn(max_len, d_model) * 0.02)
        self.enc = nn.ModuleList(
            nn.TransformerEncoderLayer(d_model, n_heads, d_ff, dropout, batch_first=True)
            for _ in range(n_layers)
        )
        self.dec = nn.ModuleList(
            DecoderBlock(d_model, n_heads, d_ff, dropout) for _ in range(n_layers)
        )
        self.out = nn.Linear(d_model, tgt_vocab)

    def forward(self, src, tgt):
        m = self.src(src) + self.pos[: src.shape[1]]
        for layer in self.enc:
            m = layer(m)
        y = self.tgt(tgt) + self.pos[: tgt.shape[1]]
        for layer in self.dec:
            y = layer(y, m)
        return torch.softmax(self.out(y), dim=-1)
