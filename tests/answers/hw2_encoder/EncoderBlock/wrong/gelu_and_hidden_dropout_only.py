# named: block-no-dropout-after-feed-forward, block-gelu
# GELU; dropout among hidden features instead of after linear2
class EncoderBlock(nn.Module):
    def __init__(self, d_model=128, n_heads=8, d_ff=512, dropout=0.1):
        super().__init__()
        self.self_attn = nn.MultiheadAttention(d_model, n_heads, batch_first=True)
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.norm1 = nn.LayerNorm(d_model)
        self.norm2 = nn.LayerNorm(d_model)
        self.drop = nn.Dropout(dropout)
        self.act = nn.GELU()

    def forward(self, x, key_padding_mask=None):
        a, _ = self.self_attn(x, x, x, key_padding_mask)
        x = self.norm1(x + self.drop(a))
        return self.norm2(x + self.linear2(self.drop(self.act(self.linear1(x)))))
