# named: block-second-residual-from-x
# the second residual adds the block's input
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
        attn_output, _ = self.self_attn(x, x, x, key_padding_mask)
        out1 = self.norm1(x + self.dropout1(attn_output))
        ff = self.linear2(F.relu(self.linear1(out1)))
        return self.norm2(x + self.dropout2(ff))
