"""A right answer, from which the wrong ones are made."""

from __future__ import annotations

REFERENCE = """\
class Encoder(nn.Module):
    def __init__(
        self, vocab_size, d_model=128, n_heads=8, d_ff=512, n_layers=2, max_len=512, dropout=0.1
    ):
        super().__init__()
        self.d_model, self.max_len = d_model, max_len
        self.embedding = nn.Embedding(vocab_size, d_model)
        blocks = [EncoderBlock(d_model, n_heads, d_ff, dropout) for _ in range(n_layers)]
        self.layers = nn.ModuleList(blocks)
        self.dropout = nn.Dropout(dropout)

    def forward(self, tokens, key_padding_mask=None):
        batch, seq = tokens.shape
        if seq > self.max_len:
            raise ValueError("this sequence is too long")
        x = self.embedding(tokens) * math.sqrt(self.d_model)
        x = x + positional_encoding(seq, self.d_model)
        x = self.dropout(x)
        for layer in self.layers:
            x = layer(x, key_padding_mask)
        return x
"""

# Rounded so finely, no two runs of an encoder agree in all of 40,000 numbers. What rounding costs
# is a gradient, and encoder-gradient-stopped says that.
NOT_MISTAKES = ("rounded",)

POSITIONS = "positional_encoding(seq, self.d_model)"
