# named: transformer-other-argument-names
# the constructor has other argument names
class Transformer(nn.Module):
    def __init__(
        self,
        src_vocab_size,
        tgt_vocab_size,
        d_model=64,
        n_heads=4,
        d_ff=128,
        n_layers=2,
        max_len=64,
        dropout=0.0,
    ):
        super().__init__()
        self.src_tok = nn.Embedding(src_vocab_size, d_model)
        self.tgt_tok = nn.Embedding(tgt_vocab_size, d_model)
        self.src_pos = nn.Embedding(max_len, d_model)
        self.tgt_pos = nn.Embedding(max_len, d_model)
        self.core = nn.Transformer(
            d_model, n_heads, n_layers, n_layers, d_ff, dropout, batch_first=True
        )
        self.head = nn.Linear(d_model, tgt_vocab_size)

    def forward(self, src, tgt):
        s, t = src.shape[1], tgt.shape[1]
        a = self.src_tok(src) + self.src_pos(torch.arange(s))
        b = self.tgt_tok(tgt) + self.tgt_pos(torch.arange(t))
        mask = nn.Transformer.generate_square_subsequent_mask(t)
        return self.head(self.core(a, b, tgt_mask=mask))
