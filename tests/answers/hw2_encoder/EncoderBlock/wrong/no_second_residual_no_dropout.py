# named: block-no-residual-around-feed-forward, block-no-dropout
# no residual around the feed-forward network, and no dropout
class EncoderBlock(nn.Module):
    def __init__(self, d_model=128, n_heads=8, d_ff=512, dropout=0.1):
        super(EncoderBlock, self).__init__()
        self.self_attn = nn.MultiheadAttention(
            embed_dim=d_model, num_heads=n_heads, dropout=dropout, batch_first=True
        )
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.norm1 = nn.LayerNorm(d_model)
        self.norm2 = nn.LayerNorm(d_model)
        self.dropout1 = nn.Dropout(dropout)
        self.dropout2 = nn.Dropout(dropout)

    def forward(self, x, key_padding_mask=None):
        a = self.self_attn(query=x, key=x, value=x, key_padding_mask=key_padding_mask)[0]
        x = self.norm1(a + x)
        h = self.linear1(x).clamp(min=0)
        return self.norm2(self.linear2(h))
