# named: transformer-peeks-ahead, transformer-no-mask, transformer-no-positions-in-the-target, transformer-parameters-without-gradient
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
        self.src_emb = nn.Embedding(src_vocab, d_model)
        self.tgt_emb = nn.Embedding(tgt_vocab, d_model)
        self.pos_src = nn.Embedding(max_len, d_model)
        self.pos_tgt = nn.Embedding(max_len, d_model)
        self.drop = nn.Dropout(dropout)
        layer = nn.TransformerEncoderLayer(d_model, n_heads, d_ff, dropout, batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, n_layers)
        dec = nn.TransformerDecoderLayer(d_model, n_heads, d_ff, dropout, batch_first=True)
        self.decoder = nn.TransformerDecoder(dec, n_layers)
        self.fc_out = nn.Linear(d_model, tgt_vocab)

    def encode(self, src):
        pos = torch.arange(src.size(1), device=src.device).unsqueeze(0)
        x = self.src_emb(src) * math.sqrt(self.d_model) + self.pos_src(pos)
        return self.encoder(self.drop(x))

    def decode(self, tgt, memory):
        pos = torch.arange(tgt.size(1), device=tgt.device).unsqueeze(0)
        y = self.tgt_emb(tgt) * math.sqrt(self.d_model)
        mask = nn.Transformer.generate_square_subsequent_mask(tgt.size(1))
        return self.decoder(self.drop(y), memory)

    def forward(self, src, tgt):
        memory = self.encode(src)
        return self.fc_out(self.decode(tgt, memory))
