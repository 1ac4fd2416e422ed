# named: block-padding-zeroed-among-keys
# padded keys and values are zero, and no mask is used
class EncoderBlock(nn.Module):
    def __init__(self, d_model=128, n_heads=8, d_ff=512, dropout=0.1):
        super().__init__()
        self.self_attn = nn.MultiheadAttention(d_model, n_heads, batch_first=True)
        self.linear1, self.linear2 = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.drop = nn.Dropout(dropout)
        self.p = dropout

    def forward(self, x, key_padding_mask=None):
        kv = x if key_padding_mask is None else x.masked_fill(key_padding_mask.unsqueeze(-1), 0.0)
        h = self.norm1(x + self.drop(self.self_attn(x, kv, kv)[0]))
        return self.norm2(h + self.drop(self.linear2(F.relu(self.linear1(h)))))
