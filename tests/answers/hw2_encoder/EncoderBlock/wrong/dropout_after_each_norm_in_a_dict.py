# named: block-dropout-takes-the-residual
# dropout after the norm instead of before the sum (two of them), with an odd ModuleDict of
# aliases
class EncoderBlock(nn.Module):
    def __init__(self, d_model=128, n_heads=8, d_ff=512, dropout=0.1):
        super().__init__()
        self.self_attn = nn.MultiheadAttention(d_model, n_heads, batch_first=True)
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.norm1 = nn.LayerNorm(d_model)
        self.norm2 = nn.LayerNorm(d_model)
        self.drops = nn.ModuleDict({name: nn.Dropout(dropout) for name in ("first", "second")})

    def forward(self, x, key_padding_mask=None):
        a = self.self_attn(query=x, key=x, value=x, key_padding_mask=key_padding_mask)[0]
        x = self.drops["first"](self.norm1(x + a))
        f = self.linear2(F.relu(self.linear1(x)))
        return self.drops["second"](self.norm2(x + f))
