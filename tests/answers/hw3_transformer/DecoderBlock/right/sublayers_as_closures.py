class DecoderBlock(nn.Module):
    def __init__(self, d_model=128, n_heads=8, d_ff=512, dropout=0.1):
        super().__init__()
        self.self_attn = nn.MultiheadAttention(d_model, n_heads, batch_first=True)
        self.multihead_attn = nn.MultiheadAttention(d_model, n_heads, batch_first=True)
        self.linear1, self.linear2 = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        for i in (1, 2, 3):
            setattr(self, f"norm{i}", nn.LayerNorm(d_model))
        self.p = dropout

    def forward(self, x, memory, memory_key_padding_mask=None):
        look_back = torch.zeros(x.size(1), x.size(1)).masked_fill(
            ~causal_mask(x.size(1)), -math.inf
        )
        for norm, sublayer in (
            (
                self.norm1,
                lambda y: self.self_attn(y, y, y, attn_mask=look_back, need_weights=False)[0],
            ),
            (
                self.norm2,
                lambda y: self.multihead_attn(y, memory, memory, memory_key_padding_mask)[0],
            ),
            (self.norm3, lambda y: self.linear2(self.linear1(y).clamp(min=0))),
        ):
            x = norm(F.dropout(sublayer(x), self.p, self.training) + x)
        return x
