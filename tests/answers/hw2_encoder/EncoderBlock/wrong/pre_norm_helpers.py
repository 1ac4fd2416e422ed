# named: block-pre-norm
# pre-norm in two helper methods
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

    def _attend(self, x, pad):
        out = self.self_attn(x, x, x, key_padding_mask=pad, need_weights=False)[0]
        return self.dropout1(out)

    def _feed(self, x):
        return self.dropout2(self.linear2(F.relu(self.linear1(x))))

    def forward(self, x, key_padding_mask=None):
        x = x + self._attend(self.norm1(x), key_padding_mask)
        x = x + self._feed(self.norm2(x))
        return x
