# named: decoder-residuals-from-x, decoder-second-residual-from-x, decoder-third-residual-from-x
# all three residuals add the block's input (residual not updated)
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
        residual = x
        out, _ = self.self_attn(x, x, x, attn_mask=~causal_mask(x.shape[1]))
        out = self.norm1(residual + self.dropout(out))
        out, _ = self.multihead_attn(out, memory, memory, key_padding_mask=memory_key_padding_mask)
        out = self.norm2(residual + self.dropout(out))
        out = self.linear2(F.relu(self.linear1(out)))
        return self.norm3(residual + self.dropout(out))
