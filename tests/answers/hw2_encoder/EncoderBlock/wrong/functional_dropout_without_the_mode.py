# named: block-dropout-in-eval-mode
# F.dropout isn't told the mode, and drops out in both
class EncoderBlock(nn.Module):
    def __init__(self, d_model=128, n_heads=8, d_ff=512, dropout=0.1):
        super().__init__()
        self.self_attn = nn.MultiheadAttention(d_model, n_heads, dropout, batch_first=True)
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.norm1 = nn.LayerNorm(d_model)
        self.norm2 = nn.LayerNorm(d_model)
        self.rate = dropout

    def forward(self, x, key_padding_mask=None):
        attended, _ = self.self_attn(x, x, x, key_padding_mask=key_padding_mask)
        attended = F.dropout(attended, self.rate)
        total = x + attended
        normed = self.norm1(total)
        hidden = F.relu(self.linear1(normed))
        transformed = self.linear2(hidden)
        transformed = F.dropout(transformed, self.rate)
        total = normed + transformed
        result = self.norm2(total)
        return result
