"""A right answer, from which the wrong ones are made."""

from __future__ import annotations

# It is free inside, so an answer agrees with these only if it draws its weights in the same order.
REFERENCE = """\
class Transformer(nn.Module):
    def __init__(self, src_vocab, tgt_vocab, d_model=64, n_heads=4, d_ff=128, n_layers=2,
                 max_len=64, dropout=0.0):
        super().__init__()
        self.src_embedding = nn.Embedding(src_vocab, d_model)
        self.tgt_embedding = nn.Embedding(tgt_vocab, d_model)
        self.register_buffer("positions", positional_encoding(max_len, d_model))
        self.encoder = nn.ModuleList(
            [self.encoder_layer(d_model, n_heads, d_ff, dropout) for _ in range(n_layers)]
        )
        self.decoder = nn.ModuleList(
            [self.decoder_layer(d_model, n_heads, d_ff, dropout) for _ in range(n_layers)]
        )
        self.to_logits = nn.Linear(d_model, tgt_vocab)

    def encoder_layer(self, d_model, n_heads, d_ff, dropout):
        return nn.TransformerEncoderLayer(d_model, n_heads, d_ff, dropout, batch_first=True)

    def decoder_layer(self, d_model, n_heads, d_ff, dropout):
        return nn.TransformerDecoderLayer(d_model, n_heads, d_ff, dropout, batch_first=True)

    def forward(self, src, tgt):
        x = self.src_embedding(src)
        x = x + self.positions[: src.shape[1]]
        for layer in self.encoder:
            x = layer(x)
        memory = x
        y = self.tgt_embedding(tgt)
        y = y + self.positions[: tgt.shape[1]]
        hidden = torch.ones(tgt.shape[1], tgt.shape[1]).triu(1).bool()
        for layer in self.decoder:
            y = layer(y, memory, tgt_mask=hidden)
        logits = self.to_logits(y)
        return logits
"""

NOT_MISTAKES = ("other-names", "no-bias", "bias-unused")  # it is free inside
