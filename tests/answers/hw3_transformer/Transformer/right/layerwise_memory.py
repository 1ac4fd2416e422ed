# decoder layer i looks at what encoder layer i made
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
        self.read = nn.Embedding(src_vocab, d_model)
        self.write = nn.Embedding(tgt_vocab, d_model)
        self.places = nn.Parameter(torch.randn(2, max_len, d_model) * 0.1)
        self.left = nn.ModuleList()
        self.right = nn.ModuleList()
        for _ in range(n_layers):
            self.left.append(
                nn.TransformerEncoderLayer(d_model, n_heads, d_ff, dropout, batch_first=True)
            )
            self.right.append(DecoderBlock(d_model, n_heads, d_ff, dropout))
        self.say = nn.Linear(d_model, tgt_vocab, bias=False)

    def forward(self, src, tgt):
        a = self.read(src) + self.places[0, : src.shape[1]]
        b = self.write(tgt) + self.places[1, : tgt.shape[1]]
        for left, right in zip(self.left, self.right):
            a = left(a)
            b = right(b, a)
        return self.say(b)
