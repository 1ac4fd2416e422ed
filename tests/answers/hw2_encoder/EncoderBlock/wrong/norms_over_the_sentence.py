# named: block-norms-over-the-sentence
# F.layer_norm over the last two axes
class EncoderBlock(nn.Module):
    def __init__(self, d_model=128, n_heads=8, d_ff=512, dropout=0.1):
        super().__init__()
        self.self_attn = nn.MultiheadAttention(d_model, n_heads, dropout=dropout, batch_first=True)
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.norm1 = nn.LayerNorm(d_model)
        self.norm2 = nn.LayerNorm(d_model)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, key_padding_mask=None):
        attn, _ = self.self_attn(x, x, x, key_padding_mask=key_padding_mask)

        def ln(norm, t):
            return F.layer_norm(t, t.shape[1:]) * norm.weight + norm.bias

        x = ln(self.norm1, x + self.drop(attn))
        return ln(self.norm2, x + self.drop(self.linear2(F.relu(self.linear1(x)))))
