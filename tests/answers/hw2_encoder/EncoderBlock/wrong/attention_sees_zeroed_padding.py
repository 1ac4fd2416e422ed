# named: block-padding-zeroed-in-attention
# padding is 0 for attention, and not hidden
class EncoderBlock(nn.Module):
    def __init__(self, d_model=128, n_heads=8, d_ff=512, dropout=0.1):
        super().__init__()
        self.self_attn = nn.MultiheadAttention(d_model, n_heads, dropout=dropout, batch_first=True)
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.norm1 = nn.LayerNorm(d_model)
        self.norm2 = nn.LayerNorm(d_model)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, key_padding_mask=None):
        h = x if key_padding_mask is None else x.masked_fill(key_padding_mask.unsqueeze(-1), 0.0)
        attn, _ = self.self_attn(h, h, h)
        x = self.norm1(x + self.drop(attn))
        return self.norm2(x + self.drop(self.linear2(F.relu(self.linear1(x)))))
