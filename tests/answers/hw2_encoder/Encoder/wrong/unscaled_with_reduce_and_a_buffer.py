# named: encoder-not-scaled
# embeddings are not multiplied by the root of d_model; the table is kept as a buffer (unusual
# style: nn.Sequential-like loop through reduce)
from functools import reduce


class Encoder(nn.Module):
    def __init__(
        self, vocab_size, d_model=128, n_heads=8, d_ff=512, n_layers=2, max_len=512, dropout=0.1
    ):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model)
        self.register_buffer("pe", positional_encoding(max_len, d_model))
        self.layers = nn.ModuleList(
            EncoderBlock(d_model, n_heads, d_ff, dropout) for _ in range(n_layers)
        )
        self.dropout = nn.Dropout(dropout)

    def forward(self, tokens, key_padding_mask=None):
        if tokens.size(1) > len(self.pe):
            raise ValueError("too long")
        x = self.dropout(self.embedding(tokens) + self.pe[: tokens.size(1)])
        return reduce(lambda h, layer: layer(h, key_padding_mask), self.layers, x)
