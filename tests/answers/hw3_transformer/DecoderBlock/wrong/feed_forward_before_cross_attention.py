# named: decoder-feed-forward-second
# feed-forward comes before cross-attention
class DecoderBlock(nn.Module):
    def __init__(self, d_model=128, n_heads=8, d_ff=512, dropout=0.1):
        super().__init__()
        self.self_attn = nn.MultiheadAttention(d_model, n_heads, batch_first=True)
        self.multihead_attn = nn.MultiheadAttention(d_model, n_heads, batch_first=True)
        self.linear1, self.linear2 = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = (nn.LayerNorm(d_model) for _ in range(3))
        self.drop = nn.Dropout(dropout)

    def forward(self, x, memory, memory_key_padding_mask=None):
        x = self.norm1(x + self.drop(self.self_attn(x, x, x, attn_mask=~causal_mask(x.size(1)))[0]))
        x = self.norm2(x + self.drop(self.linear2(F.relu(self.linear1(x)))))
        return self.norm3(
            x
            + self.drop(
                self.multihead_attn(x, memory, memory, key_padding_mask=memory_key_padding_mask)[0]
            )
        )
