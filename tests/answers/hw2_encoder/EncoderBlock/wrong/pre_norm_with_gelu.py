# named: block-pre-norm, block-gelu
# two: pre-norm with GELU
class EncoderBlock(nn.Module):
    def __init__(self, d_model=128, n_heads=8, d_ff=512, dropout=0.1):
        super().__init__()
        self.self_attn = nn.MultiheadAttention(d_model, n_heads, batch_first=True)
        self.linear1, self.linear2 = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.drop = nn.Dropout(dropout)
        self.p = dropout

    def forward(self, x, key_padding_mask=None):
        z = self.norm1(x)
        x = x + self.drop(self.self_attn(z, z, z, key_padding_mask=key_padding_mask)[0])
        return x + self.drop(self.linear2(F.gelu(self.linear1(self.norm2(x)))))
