class EncoderBlock(nn.Module):
    """Leaves padded keys out altogether, instead of masking them."""

    def __init__(self, d_model: int = 128, n_heads: int = 8, d_ff: int = 512, dropout: float = 0.1):
        super().__init__()
        self.self_attn = nn.MultiheadAttention(d_model, n_heads, dropout=dropout, batch_first=True)
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.norm1 = nn.LayerNorm(d_model)
        self.norm2 = nn.LayerNorm(d_model)
        self.dropout1 = nn.Dropout(dropout)
        self.dropout2 = nn.Dropout(dropout)

    def _attend(self, x, key_padding_mask):
        if key_padding_mask is None:
            return self.self_attn(x, x, x, need_weights=False)[0]
        rows = []
        for sentence, padded in zip(x, key_padding_mask):
            real = sentence[~padded]
            rows.append(self.self_attn(sentence, real, real, need_weights=False)[0])
        return torch.stack(rows)

    def forward(self, x, key_padding_mask=None):
        x = self.norm1(x + self.dropout1(self._attend(x, key_padding_mask)))
        return self.norm2(x + self.dropout2(self.linear2(F.relu(self.linear1(x)))))
