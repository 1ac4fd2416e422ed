# named: decoder-pre-norm
# odd style (closures, F.dropout with training); pre-norm
class DecoderBlock(nn.Module):
    def __init__(self, d_model=128, n_heads=8, d_ff=512, dropout=0.1):
        super().__init__()
        self.p = dropout
        for name in ("self_attn", "multihead_attn"):
            setattr(
                self,
                name,
                nn.MultiheadAttention(d_model, n_heads, dropout=dropout, batch_first=True),
            )
        self.linear1, self.linear2 = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        for i in (1, 2, 3):
            setattr(self, f"norm{i}", nn.LayerNorm(d_model))

    def forward(self, x, memory, memory_key_padding_mask=None):
        later = torch.ones(x.shape[1], x.shape[1], dtype=torch.bool).triu(1)

        def look_back(y):
            return self.self_attn(y, y, y, attn_mask=later, need_weights=False)[0]

        def look_over(y):
            return self.multihead_attn(y, memory, memory, key_padding_mask=memory_key_padding_mask)[
                0
            ]

        def think(y):
            return self.linear2(self.linear1(y).clamp(min=0))

        for norm, step in ((self.norm1, look_back), (self.norm2, look_over), (self.norm3, think)):
            x = x + F.dropout(step(norm(x)), self.p, self.training)
        return x
