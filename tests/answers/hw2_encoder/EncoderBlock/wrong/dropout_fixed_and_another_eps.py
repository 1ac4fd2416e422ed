# named: block-norm-epsilon, block-dropout-rate-fixed
# two mistakes: dropout fixed to 0.1 whatever is asked, LayerNorm eps 1e-3
class EncoderBlock(nn.Module):
    def __init__(self, d_model=128, n_heads=8, d_ff=512, dropout=0.1):
        super().__init__()
        self.self_attn = nn.MultiheadAttention(d_model, n_heads, batch_first=True)
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.norm1 = nn.LayerNorm(d_model, eps=1e-3)
        self.norm2 = nn.LayerNorm(d_model, eps=1e-3)
        self.dropout = nn.Dropout(0.1)

    def forward(self, x, key_padding_mask=None):
        attended = self.self_attn(x, x, x, key_padding_mask=key_padding_mask)[0]
        x = self.norm1(x + self.dropout(attended))
        hidden = self.linear2(F.relu(self.linear1(x)))
        return self.norm2(x + self.dropout(hidden))
