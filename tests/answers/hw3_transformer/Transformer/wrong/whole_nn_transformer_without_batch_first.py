# named: transformer-sequences-mixed
# nn.Transformer with batch_first forgotten
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
        self.register_buffer("places", positional_encoding(max_len, d_model))
        self.core = nn.Transformer(d_model, n_heads, n_layers, n_layers, d_ff, dropout)
        self.out = nn.Linear(d_model, tgt_vocab)

    def forward(self, src, tgt):
        s, t = src.shape[1], tgt.shape[1]
        later = torch.triu(torch.full((t, t), float("-inf")), diagonal=1)
        a = self.src(src) * 8 + self.places[:s]
        b = self.tgt(tgt) * 8 + self.places[:t]
        return self.out(self.core(a, b, tgt_mask=later))
