class _Side(nn.Module):
    def __init__(self, vocab, d_model, max_len, dropout):
        super().__init__()
        self.tok, self.where = (
            nn.Embedding(vocab, d_model),
            nn.Parameter(positional_encoding(max_len, d_model)),
        )
        self.drop = nn.Dropout(dropout)

    def forward(self, ids):
        return self.drop(self.tok(ids) + self.where[None, : ids.shape[-1]])


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
        self.left, self.right = (
            _Side(src_vocab, d_model, max_len, dropout),
            _Side(tgt_vocab, d_model, max_len, dropout),
        )
        make = nn.TransformerEncoderLayer(
            d_model, n_heads, d_ff, dropout, batch_first=True, norm_first=True
        )
        self.encoder = nn.TransformerEncoder(
            make, n_layers, nn.LayerNorm(d_model), enable_nested_tensor=False
        )
        make = nn.TransformerDecoderLayer(
            d_model, n_heads, d_ff, dropout, batch_first=True, norm_first=True
        )
        self.decoder = nn.TransformerDecoder(make, n_layers, nn.LayerNorm(d_model))
        self.W = nn.Parameter(torch.randn(tgt_vocab, d_model) / d_model**0.5)

    def forward(self, src, tgt):
        later = torch.ones(tgt.shape[1], tgt.shape[1]).triu(1).bool()
        y = self.decoder(self.right(tgt), self.encoder(self.left(src)), tgt_mask=later)
        return torch.einsum("btd,vd->btv", y, self.W)
