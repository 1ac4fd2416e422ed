# named: block-padding-of-queries, block-no-residual-around-feed-forward
# the mask lies over queries, and nothing leads past the feed-forward network
class EncoderBlock(nn.Module):
    def __init__(self, d_model=128, n_heads=8, d_ff=512, dropout=0.1):
        super().__init__()
        self.n_heads = n_heads
        self.self_attn = nn.MultiheadAttention(d_model, n_heads, batch_first=True)
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.norm1 = nn.LayerNorm(d_model)
        self.norm2 = nn.LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, key_padding_mask=None):
        attn_mask = None
        if key_padding_mask is not None:
            b, n = key_padding_mask.shape
            attn_mask = key_padding_mask[:, :, None].expand(b, n, n)
            attn_mask = attn_mask.repeat_interleave(self.n_heads, dim=0)
        y, _ = self.self_attn(x, x, x, attn_mask=attn_mask)
        x = self.norm1(x + self.dropout(y))
        return self.norm2(self.dropout(self.linear2(F.relu(self.linear1(x)))))
