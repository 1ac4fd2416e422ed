# named: block-pre-norm
# pre-norm, sublayers as functions
class EncoderBlock(nn.Module):
    def __init__(self, d_model=128, n_heads=8, d_ff=512, dropout=0.1):
        super().__init__()
        self.self_attn = nn.MultiheadAttention(d_model, n_heads, dropout=dropout, batch_first=True)
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.norm1 = nn.LayerNorm(d_model)
        self.norm2 = nn.LayerNorm(d_model)
        self.dropout1 = nn.Dropout(dropout)
        self.dropout2 = nn.Dropout(dropout)

    def _sa(self, x, pad):
        return self.dropout1(self.self_attn(x, x, x, key_padding_mask=pad)[0])

    def _ff(self, x):
        return self.dropout2(self.linear2(torch.relu(self.linear1(x))))

    def forward(self, x, key_padding_mask=None):
        x = x + self._sa(self.norm1(x), key_padding_mask)
        x = x + self._ff(self.norm2(x))
        return x
