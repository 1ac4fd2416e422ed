# named: decoder-cross-attention-first-with-its-norm
class DecoderBlock(nn.Module):
    def __init__(self, d_model=128, n_heads=8, d_ff=512, dropout=0.1):
        super().__init__()
        self.self_attn = nn.MultiheadAttention(d_model, n_heads, batch_first=True)
        self.multihead_attn = nn.MultiheadAttention(d_model, n_heads, batch_first=True)
        self.linear1, self.linear2 = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = (nn.LayerNorm(d_model) for _ in range(3))
        self.p = dropout

    def forward(self, x, memory, memory_key_padding_mask=None):
        drop = lambda y: F.dropout(y, self.p, self.training)
        x = self.norm2(
            x
            + drop(
                self.multihead_attn(x, memory, memory, key_padding_mask=memory_key_padding_mask)[0]
            )
        )
        x = self.norm1(x + drop(self.self_attn(x, x, x, attn_mask=~causal_mask(x.shape[-2]))[0]))
        return self.norm3(x + drop(self.linear2(self.linear1(x).clamp(min=0))))
