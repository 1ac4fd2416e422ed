class AddNorm(nn.Module):
    def __init__(self, p):
        super().__init__()
        self.drop = nn.Dropout(p)

    def forward(self, norm, x, out):
        return F.layer_norm(x + self.drop(out), x.shape[-1:], norm.weight, norm.bias, norm.eps)


class EncoderBlock(nn.Module):
    def __init__(self, d_model=128, n_heads=8, d_ff=512, dropout=0.1):
        super().__init__()
        self.add = AddNorm(dropout)
        self.inner = nn.Dropout(dropout)
        self.norm2, self.norm1 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.linear2, self.linear1 = nn.Linear(d_ff, d_model), nn.Linear(d_model, d_ff)
        self.self_attn = nn.MultiheadAttention(
            embed_dim=d_model, num_heads=n_heads, dropout=dropout, batch_first=True
        )

    def forward(self, x, key_padding_mask=None):
        attention = self.self_attn(
            x, x, x, key_padding_mask=key_padding_mask, average_attn_weights=False
        )
        x = self.add(self.norm1, x, attention[0])
        return self.add(self.norm2, x, self.linear2(self.inner(F.relu(self.linear1(x)))))
