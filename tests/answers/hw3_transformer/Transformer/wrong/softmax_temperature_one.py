# named: transformer-probabilities
# harmless division by 1; probabilities in place of logits
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
        self.src_embed, self.tgt_embed = (
            nn.Embedding(src_vocab, d_model),
            nn.Embedding(tgt_vocab, d_model),
        )
        self.register_buffer("table", positional_encoding(max_len, d_model), persistent=False)
        self.encoder = nn.Sequential(
            *[
                nn.TransformerEncoderLayer(d_model, n_heads, d_ff, dropout, batch_first=True)
                for _ in range(n_layers)
            ]
        )
        self.decoder = nn.ModuleList(
            [DecoderBlock(d_model, n_heads, d_ff, dropout) for _ in range(n_layers)]
        )
        self.generator = nn.Linear(d_model, tgt_vocab)

    def forward(self, src, tgt):
        temperature = 1.0
        memory = self.encoder(self.src_embed(src) + self.table[: src.shape[1]])
        y = self.tgt_embed(tgt) + self.table[: tgt.shape[1]]
        for block in self.decoder:
            y = block(y, memory)
        return nn.Softmax(dim=-1)(self.generator(y) / temperature)
