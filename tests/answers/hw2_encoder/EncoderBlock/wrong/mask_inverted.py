# named: block-padding-inverted
# the padding mask is inverted since "True = may attend"
class EncoderBlock(nn.Module):
    def __init__(self, d_model=128, n_heads=8, d_ff=512, dropout=0.1):
        super(EncoderBlock, self).__init__()
        self.self_attn = nn.MultiheadAttention(
            embed_dim=d_model, num_heads=n_heads, dropout=dropout, batch_first=True
        )
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.norm1 = nn.LayerNorm(d_model)
        self.norm2 = nn.LayerNorm(d_model)
        self.dropout1 = nn.Dropout(dropout)
        self.dropout2 = nn.Dropout(dropout)

    def forward(self, x, key_padding_mask=None):
        if key_padding_mask is not None:
            key_padding_mask = ~key_padding_mask
        attended = self.self_attn(x, x, x, key_padding_mask=key_padding_mask)[0]
        x = x + self.dropout1(attended)
        x = self.norm1(x)
        residual = x
        x = self.linear2(self.linear1(x).relu())
        x = self.dropout2(x)
        x = self.norm2(x + residual)
        return x
