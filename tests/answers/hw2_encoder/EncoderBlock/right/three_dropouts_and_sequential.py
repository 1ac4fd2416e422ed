# named sublayers, three dropouts, a Sequential that shares the linear layers
class EncoderBlock(nn.Module):
    def __init__(self, d_model=128, n_heads=8, d_ff=512, dropout=0.1):
        super().__init__()

        self.self_attn = nn.MultiheadAttention(d_model, n_heads, dropout=dropout, batch_first=True)
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.feed_forward = nn.Sequential(
            self.linear1, nn.ReLU(), nn.Dropout(dropout), self.linear2, nn.Dropout(dropout)
        )
        self.norm1 = nn.LayerNorm(d_model)
        self.norm2 = nn.LayerNorm(d_model)
        self.dropout1 = nn.Dropout(dropout)

    def attend(self, x, key_padding_mask):
        return self.dropout1(self.self_attn(x, x, x, key_padding_mask=key_padding_mask)[0])

    def forward(self, x, key_padding_mask=None):
        x = self.norm1(x + self.attend(x, key_padding_mask))
        return self.norm2(x + self.feed_forward(x))
