# named: block-pre-norm
# pre-norm (norms before the sublayers), written with the functional form inside a helper
class EncoderBlock(nn.Module):
    def __init__(self, d_model=128, n_heads=8, d_ff=512, dropout=0.1):
        super().__init__()
        self.self_attn = nn.MultiheadAttention(d_model, n_heads, dropout, batch_first=True)
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.norm1 = nn.LayerNorm(d_model)
        self.norm2 = nn.LayerNorm(d_model)
        self.drop = nn.Dropout(dropout)

    def around(self, x, norm, sublayer):
        return x + self.drop(sublayer(norm(x)))

    def forward(self, x, key_padding_mask=None):
        def attend(y):
            return self.self_attn(y, y, y, key_padding_mask, need_weights=False)[0]

        def network(y):
            return self.linear2(self.linear1(y).clamp(min=0))

        return self.around(self.around(x, self.norm1, attend), self.norm2, network)
