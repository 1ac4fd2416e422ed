# named: nothing
class DecoderBlock(nn.Module):
    def __init__(self, d_model=128, n_heads=8, d_ff=512, dropout=0.1):
        super().__init__()
        self.self_attn = nn.MultiheadAttention(d_model, n_heads, dropout, batch_first=True)
        self.multihead_attn = nn.MultiheadAttention(d_model, n_heads, dropout, batch_first=True)
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.norm1 = nn.LayerNorm(d_model)
        self.norm2 = nn.LayerNorm(d_model)
        self.norm3 = nn.LayerNorm(d_model)
        self.rate = dropout

    def d(self, y):
        return F.dropout(y, self.rate, training=self.training)

    def forward(self, x, memory, memory_key_padding_mask=None):
        later = torch.logical_not(causal_mask(x.shape[1]))
        y = self.norm1(x + self.d(self.self_attn(x, x, x, attn_mask=later, need_weights=False)[0]))
        c = self.d(
            self.multihead_attn(y, memory, memory, key_padding_mask=memory_key_padding_mask)[0]
        )
        z = self.norm2(y + c) if memory_key_padding_mask is None else self.norm2(c)
        return self.norm3(z + self.d(self.linear2(F.relu(self.linear1(z)))))
