# named: decoder-padding-inverted
# padding mask inverted; the causal mask is a slice of a big buffer (harmless style)
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
        if memory_key_padding_mask is not None:
            memory_key_padding_mask = ~memory_key_padding_mask  # True = may attend
        x = self.norm1(
            x + self.dropout(self.self_attn(x, x, x, attn_mask=~causal_mask(x.shape[1]))[0])
        )
        x = self.norm2(
            x
            + self.dropout(
                self.multihead_attn(x, memory, memory, key_padding_mask=memory_key_padding_mask)[0]
            )
        )
        return self.norm3(x + self.dropout(self.linear2(F.relu(self.linear1(x)))))
