# named: block-dropout-takes-the-residual, block-dropout-after-both-norms
# dropout is applied after the norm, on its result, rather than on the sublayer's output before the sum
class EncoderBlock(nn.Module):
    def __init__(self, d_model=128, n_heads=8, d_ff=512, dropout=0.1):
        super().__init__()
        self.self_attn = nn.MultiheadAttention(d_model, n_heads, batch_first=True)
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.norm1 = nn.LayerNorm(d_model)
        self.norm2 = nn.LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, key_padding_mask=None):
        attended = self.self_attn(x, x, x, key_padding_mask=key_padding_mask)[0]
        x = self.dropout(self.norm1(x + attended))
        hidden = self.linear2(F.relu(self.linear1(x)))
        return self.dropout(self.norm2(x + hidden))
