# torch's Transformer, sequence first, pre-norm, tied output
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
        self.body = nn.Transformer(
            d_model, n_heads, n_layers, n_layers, d_ff, dropout, activation="gelu", norm_first=True
        )
        self.register_buffer("pe", positional_encoding(max_len, d_model).unsqueeze(1))
        self.tables = nn.ModuleDict(
            {"src": nn.Embedding(src_vocab, d_model), "tgt": nn.Embedding(tgt_vocab, d_model)}
        )
        nn.init.normal_(self.tables["src"].weight, std=0.3)
        nn.init.normal_(self.tables["tgt"].weight, std=0.3)
        self.bias = nn.Parameter(torch.zeros(tgt_vocab))

    def forward(self, src, tgt):
        src, tgt = src.t(), tgt.t()
        x = self.tables["src"](src) + self.pe[: len(src)]
        y = self.tables["tgt"](tgt) + self.pe[: len(tgt)]
        mask = nn.Transformer.generate_square_subsequent_mask(len(tgt))
        out = self.body(x, y, tgt_mask=mask, tgt_is_causal=True)
        return F.linear(out, self.tables["tgt"].weight, self.bias).transpose(0, 1)
