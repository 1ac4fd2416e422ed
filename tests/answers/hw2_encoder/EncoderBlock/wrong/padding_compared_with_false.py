# named: block-padding-inverted
# padding mask inverted before it is handed on (unusual: torch.eq), when given
class EncoderBlock(nn.Module):
    def __init__(self, d_model=128, n_heads=8, d_ff=512, dropout=0.1):
        super().__init__()
        self.self_attn = nn.MultiheadAttention(d_model, n_heads, dropout=dropout, batch_first=True)
        self.linear1, self.linear2 = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, key_padding_mask=None):
        extra = {}
        if key_padding_mask is not None:
            extra["key_padding_mask"] = torch.eq(key_padding_mask, False)
        a = self.self_attn(query=x, key=x, value=x, need_weights=False, **extra)[0]
        y = self.norm1(torch.add(x, self.drop(a)))
        f = self.linear2(self.linear1(y).clamp_min(0))
        return self.norm2(torch.add(y, self.drop(f)))
