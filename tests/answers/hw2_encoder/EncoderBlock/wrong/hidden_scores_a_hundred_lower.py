# named: nothing
# hidden scores are lowered by 100, and others can be lower still
class EncoderBlock(nn.Module):
    def __init__(self, d_model=128, n_heads=8, d_ff=512, dropout=0.1):
        super().__init__()
        self.self_attn = nn.MultiheadAttention(d_model, n_heads, dropout, batch_first=True)
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.norm1 = nn.LayerNorm(d_model)
        self.norm2 = nn.LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, key_padding_mask=None):
        if key_padding_mask is not None:
            key_padding_mask = -100.0 * key_padding_mask
        attended, _ = self.self_attn(x, x, x, key_padding_mask=key_padding_mask)
        attended = self.dropout(attended)
        total = x + attended
        normed = self.norm1(total)
        hidden = F.relu(self.linear1(normed))
        transformed = self.linear2(hidden)
        transformed = self.dropout(transformed)
        total = normed + transformed
        result = self.norm2(total)
        return result
