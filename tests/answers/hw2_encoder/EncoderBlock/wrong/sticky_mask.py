# named: block-padding-kept
# remembers the last padding mask and uses it again when a later call passes none
class EncoderBlock(nn.Module):
    def __init__(self, d_model=128, n_heads=8, d_ff=512, dropout=0.1):
        super().__init__()
        self.self_attn = nn.MultiheadAttention(d_model, n_heads, dropout=dropout, batch_first=True)
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.norm1 = nn.LayerNorm(d_model)
        self.norm2 = nn.LayerNorm(d_model)
        self.dropout1 = nn.Dropout(dropout)
        self.dropout2 = nn.Dropout(dropout)
        self.mask = None

    def forward(self, x, key_padding_mask=None):
        if key_padding_mask is not None:
            self.mask = key_padding_mask
        if self.mask is not None and self.mask.shape == x.shape[:2]:
            key_padding_mask = self.mask
        attn_out, _ = self.self_attn(x, x, x, key_padding_mask=key_padding_mask)
        x = self.norm1(x + self.dropout1(attn_out))
        return self.norm2(x + self.dropout2(self.linear2(F.relu(self.linear1(x)))))
