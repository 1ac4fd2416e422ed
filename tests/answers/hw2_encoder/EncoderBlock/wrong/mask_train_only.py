# named: block-padding-hidden-in-train-mode-alone
# passes the padding mask in train mode only, so in eval mode padding is attended
class EncoderBlock(nn.Module):
    def __init__(self, d_model=128, n_heads=8, d_ff=512, dropout=0.1):
        super().__init__()
        self.self_attn = nn.MultiheadAttention(d_model, n_heads, batch_first=True)
        self.linear1, self.linear2 = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, key_padding_mask=None):
        mask = key_padding_mask if self.training else None
        x = self.norm1(x + self.dropout(self.self_attn(x, x, x, key_padding_mask=mask)[0]))
        return self.norm2(x + self.dropout(self.linear2(self.linear1(x).relu())))
