# named: decoder-gelu, decoder-second-residual-from-x
# GELU, and the cross-attention's residual is the block's input
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
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, memory, memory_key_padding_mask=None):
        mask = torch.full((x.size(1), x.size(1)), float("-inf")).triu(1)
        out1 = self.norm1(x + self.dropout(self.self_attn(x, x, x, attn_mask=mask)[0]))
        attn2 = self.multihead_attn(out1, memory, memory, key_padding_mask=memory_key_padding_mask)[
            0
        ]
        out2 = self.norm2(x + self.dropout(attn2))
        ffn = self.linear2(F.gelu(self.linear1(out2)))
        return self.norm3(out2 + self.dropout(ffn))
