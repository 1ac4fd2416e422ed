# named: block-second-residual-from-x
# the second residual adds the block's input x instead of norm1's result, with a no-op mask conversion
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

    def forward(self, x, key_padding_mask=None):
        if key_padding_mask is not None:
            key_padding_mask = key_padding_mask.bool().clone()
        attn_output, _ = self.self_attn(x, x, x, key_padding_mask=key_padding_mask)
        attn_output = self.norm1(x + self.dropout1(attn_output))
        ff_output = self.linear2(F.relu(self.linear1(attn_output)))
        return self.norm2(x + self.dropout2(ff_output))
