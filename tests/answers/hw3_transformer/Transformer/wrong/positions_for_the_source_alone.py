# named: transformer-no-positions-in-the-target
# positions added to the source alone
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
        self.src_emb = nn.Embedding(src_vocab, d_model)
        self.tgt_emb = nn.Embedding(tgt_vocab, d_model)
        self.pos = nn.Embedding(max_len, d_model)
        enc = nn.TransformerEncoderLayer(d_model, n_heads, d_ff, dropout, batch_first=True)
        self.encoder = nn.TransformerEncoder(enc, n_layers, enable_nested_tensor=False)
        self.decoder = nn.ModuleList(
            DecoderBlock(d_model, n_heads, d_ff, dropout) for _ in range(n_layers)
        )
        self.head = nn.Linear(d_model, tgt_vocab)

    def forward(self, src, tgt):
        memory = self.encoder(self.src_emb(src) + self.pos(torch.arange(src.shape[1])))
        x = self.tgt_emb(tgt)
        for block in self.decoder:
            x = block(x, memory)
        return self.head(x)
