# named: block-padding-inverted, block-no-dropout-after-feed-forward
# ~key_padding_mask; no dropout on the feed-forward part
class EncoderBlock(nn.Module):
    def __init__(self, d_model=128, n_heads=8, d_ff=512, dropout=0.1):
        super().__init__()
        self.self_attn = nn.MultiheadAttention(d_model, n_heads, dropout=dropout, batch_first=True)
        self.linear1, self.linear2 = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, key_padding_mask=None):
        if key_padding_mask is not None:
            key_padding_mask = ~key_padding_mask  # torch wants it the other way round
        a = self.self_attn(x, x, x, key_padding_mask=key_padding_mask)[0]
        x = self.norm1(x + self.drop(a))
        return self.norm2(x + self.linear2(torch.relu(self.linear1(x))))
