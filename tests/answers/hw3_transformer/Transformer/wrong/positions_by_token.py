# named: transformer-no-positions
# the learned table of positions is asked for the tokens' numbers, not for their places
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
        self.src_tok = nn.Embedding(src_vocab, d_model)
        self.tgt_tok = nn.Embedding(tgt_vocab, d_model)
        self.src_pos = nn.Embedding(max(max_len, src_vocab), d_model)
        self.tgt_pos = nn.Embedding(max(max_len, tgt_vocab), d_model)
        layer = nn.TransformerEncoderLayer(d_model, n_heads, d_ff, dropout, batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, n_layers)
        layer = nn.TransformerDecoderLayer(d_model, n_heads, d_ff, dropout, batch_first=True)
        self.decoder = nn.TransformerDecoder(layer, n_layers)
        self.out = nn.Linear(d_model, tgt_vocab)

    def forward(self, src, tgt):
        s = self.src_tok(src) + self.src_pos(src)
        t = self.tgt_tok(tgt) + self.tgt_pos(tgt)
        hide = torch.triu(torch.ones(tgt.shape[1], tgt.shape[1], dtype=torch.bool), 1)
        return self.out(self.decoder(t, self.encoder(s), tgt_mask=hide))
