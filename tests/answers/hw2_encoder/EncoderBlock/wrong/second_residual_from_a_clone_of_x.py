# named: block-second-residual-from-x
# the second residual comes from the block's input x, not from the result of norm1; beside a
# harmless clone and an extra dropout inside the network
class EncoderBlock(nn.Module):
    def __init__(self, d_model=128, n_heads=8, d_ff=512, dropout=0.1):
        super().__init__()
        self.self_attn = nn.MultiheadAttention(d_model, n_heads, dropout=dropout, batch_first=True)
        self.linear1 = nn.Linear(d_model, d_ff)
        self.dropout = nn.Dropout(dropout)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.norm1 = nn.LayerNorm(d_model)
        self.norm2 = nn.LayerNorm(d_model)
        self.dropout1 = nn.Dropout(dropout)
        self.dropout2 = nn.Dropout(dropout)

    def forward(self, x, key_padding_mask=None):
        residual = x.clone()
        attn_out, _ = self.self_attn(x, x, x, key_padding_mask=key_padding_mask)
        out1 = self.norm1(residual + self.dropout1(attn_out))
        ffn = self.linear2(self.dropout(F.relu(self.linear1(out1))))
        return self.norm2(residual + self.dropout2(ffn))
