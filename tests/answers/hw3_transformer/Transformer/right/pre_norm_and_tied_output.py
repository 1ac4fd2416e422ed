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
        self.d_model = d_model
        self.src_tokens, self.tgt_tokens = (
            nn.Embedding(src_vocab, d_model),
            nn.Embedding(tgt_vocab, d_model),
        )
        nn.init.normal_(self.tgt_tokens.weight, std=d_model**-0.5)
        self.pos = nn.Parameter(0.1 * torch.randn(2, max_len, d_model))
        sizes = dict(dropout=dropout, batch_first=True, norm_first=True)
        self.encoder = nn.TransformerEncoder(
            nn.TransformerEncoderLayer(d_model, n_heads, d_ff, **sizes),
            n_layers,
            norm=nn.LayerNorm(d_model),
            enable_nested_tensor=False,
        )
        self.decoder = nn.TransformerDecoder(
            nn.TransformerDecoderLayer(d_model, n_heads, d_ff, **sizes),
            n_layers,
            norm=nn.LayerNorm(d_model),
        )

    def forward(self, src, tgt):
        memory = self.encoder(self.src_tokens(src) + self.pos[0, : src.shape[1]])
        y = self.tgt_tokens(tgt) * self.d_model**0.5 + self.pos[1, : tgt.shape[1]]
        hidden = torch.ones(tgt.shape[1], tgt.shape[1]).triu(1).bool()
        return self.decoder(y, memory, tgt_mask=hidden) @ self.tgt_tokens.weight.T
