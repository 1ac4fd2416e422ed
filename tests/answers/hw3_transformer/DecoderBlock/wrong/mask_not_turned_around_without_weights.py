# named: decoder-mask-inverted-without-weights
# causal_mask goes to attn_mask as it is, beside need_weights=False
class DecoderBlock(nn.Module):
    def __init__(self, d_model=128, n_heads=8, d_ff=512, dropout=0.1):
        super().__init__()
        self.self_attn = nn.MultiheadAttention(d_model, n_heads, dropout=dropout, batch_first=True)
        self.multihead_attn = nn.MultiheadAttention(
            d_model, n_heads, dropout=dropout, batch_first=True
        )
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.norm1 = nn.LayerNorm(d_model)
        self.norm2 = nn.LayerNorm(d_model)
        self.norm3 = nn.LayerNorm(d_model)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, memory, memory_key_padding_mask=None):
        mask = causal_mask(x.shape[1]).to(x.device)
        sa = self.self_attn(x, x, x, attn_mask=mask, need_weights=False)[0]
        x = self.norm1(x + self.drop(sa))
        ca = self.multihead_attn(
            query=x, key=memory, value=memory, key_padding_mask=memory_key_padding_mask
        )[0]
        x = self.norm2(x + self.drop(ca))
        return self.norm3(x + self.drop(self.linear2(self.linear1(x).relu())))
