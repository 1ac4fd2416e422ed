# named: block-feed-forward-reads-x
# both sublayers side by side (parallel block): the feed-forward network gets x, not attention's result
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
        a = self.dropout(self.self_attn(x, x, x, key_padding_mask=key_padding_mask)[0])
        f = self.dropout(self.linear2(F.relu(self.linear1(x))))
        return self.norm2(self.norm1(x + a) + f)
