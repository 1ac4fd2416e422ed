# positions are a one-hot that goes through a linear layer together with the token's
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
        self.sizes = {"src": src_vocab, "tgt": tgt_vocab}
        self.max_len = max_len
        self.from_src = nn.Linear(src_vocab + max_len, d_model)
        self.from_tgt = nn.Linear(tgt_vocab + max_len, d_model)
        make = {"batch_first": True, "dropout": dropout, "dim_feedforward": d_ff}
        for i in range(n_layers):
            self.add_module(f"enc{i}", nn.TransformerEncoderLayer(d_model, n_heads, **make))
            self.add_module(f"dec{i}", nn.TransformerDecoderLayer(d_model, n_heads, **make))
        self.n_layers = n_layers
        self.mlp = nn.Sequential(nn.LayerNorm(d_model), nn.Linear(d_model, tgt_vocab))

    def embed(self, tokens, side):
        token = F.one_hot(tokens, self.sizes[side])
        place = F.one_hot(torch.arange(tokens.shape[1]), self.max_len).expand(len(tokens), -1, -1)
        return getattr(self, f"from_{side}")(torch.cat([token, place], -1).float())

    def forward(self, src, tgt):
        x, y = self.embed(src, "src"), self.embed(tgt, "tgt")
        for i in range(self.n_layers):
            x = getattr(self, f"enc{i}")(x)
        for i in range(self.n_layers):
            y = getattr(self, f"dec{i}")(y, x, tgt_mask=~causal_mask(y.shape[1]))
        return self.mlp(y)
