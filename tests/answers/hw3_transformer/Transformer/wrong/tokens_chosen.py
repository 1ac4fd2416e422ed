# named: transformer-tokens-chosen
class Transformer(nn.Module):
    def __init__(self, src_vocab, tgt_vocab, d_model=64, n_heads=4, d_ff=128, n_layers=2, max_len=64, dropout=0.0):
        super().__init__()
        self.scale = math.sqrt(d_model)
        self.src_table = nn.Embedding(src_vocab, d_model)
        self.tgt_table = nn.Embedding(tgt_vocab, d_model)
        self.register_buffer("pe", positional_encoding(max_len, d_model))
        self.encoder = nn.ModuleList([nn.TransformerEncoderLayer(d_model, n_heads, d_ff, dropout, batch_first=True) for _ in range(n_layers)])
        self.decoder = nn.ModuleList([DecoderBlock(d_model, n_heads, d_ff, dropout) for _ in range(n_layers)])
        self.fc_out = nn.Linear(d_model, tgt_vocab)
        self.drop = nn.Dropout(dropout)

    def forward(self, src, tgt):
        memory = self.drop(self.src_table(src) * self.scale + self.pe[: src.size(1)])
        for enc in self.encoder:
            memory = enc(memory)
        h = self.drop(self.tgt_table(tgt) * self.scale + self.pe[: tgt.size(1)])
        for dec in self.decoder:
            h = dec(h, memory)
        return self.fc_out(h).argmax(dim=-1)
