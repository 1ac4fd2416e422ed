# named: decoder-query-is-the-input
# cross-attention asks with the block's input, not with what norm1 returned
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
        mask = ~causal_mask(x.shape[1])
        x1 = self.norm1(x + self.dropout(self.self_attn(x, x, x, attn_mask=mask)[0]))
        x2 = self.norm2(
            x1
            + self.dropout(
                self.multihead_attn(x, memory, memory, key_padding_mask=memory_key_padding_mask)[0]
            )
        )
        x3 = self.norm3(x2 + self.dropout(self.linear2(F.relu(self.linear1(x2)))))
        return x3
