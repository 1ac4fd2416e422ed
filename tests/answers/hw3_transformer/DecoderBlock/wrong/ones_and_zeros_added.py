# named: decoder-mask-of-ones
# the mask goes in as floats 1 and 0, which torch adds: the future is a little less likely, not hidden
class DecoderBlock(nn.Module):
    def __init__(self, d_model=128, n_heads=8, d_ff=512, dropout=0.1):
        super().__init__()
        self.self_attn = nn.MultiheadAttention(d_model, n_heads, dropout=dropout, batch_first=True)
        self.multihead_attn = nn.MultiheadAttention(
            d_model, n_heads, dropout=dropout, batch_first=True
        )
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.norm1 = nn.LayerNorm(d_model)
        self.norm2 = nn.LayerNorm(d_model)
        self.norm3 = nn.LayerNorm(d_model)
        self.d = dropout

    def drop(self, h):
        return F.dropout(h, p=self.d, training=self.training)

    def forward(self, x, memory, memory_key_padding_mask=None):
        may = torch.tril(x.new_ones(x.shape[1], x.shape[1]))
        h = self.self_attn(x, x, x, attn_mask=may)[0]
        x = self.norm1(x + self.drop(h))
        h = self.multihead_attn(x, memory, memory, key_padding_mask=memory_key_padding_mask)[0]
        x = self.norm2(x + self.drop(h))
        h = self.linear2(F.relu(self.linear1(x)))
        return self.norm3(x + self.drop(h))
