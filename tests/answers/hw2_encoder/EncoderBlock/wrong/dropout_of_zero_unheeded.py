# named: block-dropout-rate-fixed
# `dropout or 0.1`
class EncoderBlock(nn.Module):
    def __init__(self, d_model=128, n_heads=8, d_ff=512, dropout=0.1):
        super().__init__()
        d_model, n_heads, d_ff, dropout = d_model or 128, n_heads or 8, d_ff or 512, dropout or 0.1
        self.self_attn = nn.MultiheadAttention(d_model, n_heads, dropout=dropout, batch_first=True)
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.norm1 = nn.LayerNorm(d_model)
        self.norm2 = nn.LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, key_padding_mask=None):
        y, _ = self.self_attn(x, x, x, key_padding_mask=key_padding_mask, need_weights=False)
        x = self.norm1(x + self.dropout(y))
        y = self.linear2(F.relu(self.linear1(x)))
        return self.norm2(x + self.dropout(y))
