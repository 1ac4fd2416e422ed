# named: decoder-memory-cut-to-the-target
# the memory is cut to the length of the target
class DecoderBlock(nn.Module):
    def __init__(self, d_model=128, n_heads=8, d_ff=512, dropout=0.1):
        super().__init__()
        self.self_attn = nn.MultiheadAttention(d_model, n_heads, batch_first=True)
        self.multihead_attn = nn.MultiheadAttention(d_model, n_heads, batch_first=True)
        self.linear1, self.linear2 = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = (nn.LayerNorm(d_model) for _ in range(3))
        self.drop = nn.Dropout(dropout)

    def own(self, x):
        return self.drop(
            self.self_attn(x, x, x, attn_mask=~causal_mask(x.size(1)), need_weights=False)[0]
        )

    def cross(self, x, m, pad):
        return self.drop(self.multihead_attn(x, m, m, key_padding_mask=pad, need_weights=False)[0])

    def ff(self, x):
        return self.drop(self.linear2(F.relu(self.linear1(x))))

    def forward(self, x, memory, memory_key_padding_mask=None):
        t = x.size(1)
        pad = None if memory_key_padding_mask is None else memory_key_padding_mask[:, :t]
        x = self.norm1(x + self.own(x))
        x = self.norm2(x + self.cross(x, memory[:, :t], pad))
        return self.norm3(x + self.ff(x))
