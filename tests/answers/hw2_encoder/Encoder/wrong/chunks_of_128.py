# named: nothing
# sequences of more than 128 tokens go through the layers in chunks of 128, so tokens don't see
# beyond their chunk
class Encoder(nn.Module):
    def __init__(
        self, vocab_size, d_model=128, n_heads=8, d_ff=512, n_layers=2, max_len=512, dropout=0.1
    ):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model)
        self.layers = nn.ModuleList(
            [EncoderBlock(d_model, n_heads, d_ff, dropout) for _ in range(n_layers)]
        )
        self.register_buffer("pe", positional_encoding(max_len, d_model))
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
        self.scale = math.sqrt(d_model)

    def forward(self, tokens, key_padding_mask=None):
        n = tokens.shape[1]
        if n > self.max_len:
            raise ValueError(f"at most {self.max_len} tokens")
        x = self.dropout(self.embedding(tokens) * self.scale + self.pe[:n])
        parts = []
        for start in range(0, n, 128):
            part = x[:, start : start + 128]
            mask = None if key_padding_mask is None else key_padding_mask[:, start : start + 128]
            for layer in self.layers:
                part = layer(part, mask)
            parts.append(part)
        return torch.cat(parts, dim=1)
