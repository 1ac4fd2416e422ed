# named: decoder-self-attention-across-the-batch
class DecoderBlock(nn.Module):
    def __init__(self, d_model=128, n_heads=8, d_ff=512, dropout=0.1):
        super().__init__()
        kw = dict(embed_dim=d_model, num_heads=n_heads, dropout=dropout, batch_first=True)
        self.self_attn = nn.MultiheadAttention(**kw)
        self.multihead_attn = nn.MultiheadAttention(**kw)
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = (
            nn.LayerNorm(d_model),
            nn.LayerNorm(d_model),
            nn.LayerNorm(d_model),
        )
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, memory, memory_key_padding_mask=None):
        s = x.permute(1, 0, 2)
        y = self.self_attn(s, s, s, attn_mask=~causal_mask(s.size(1)))[0].permute(1, 0, 2)
        x = self.norm1(x + self.dropout(y))
        y = self.multihead_attn(x, memory, memory, key_padding_mask=memory_key_padding_mask)[0]
        x = self.norm2(x + self.dropout(y))
        y = self.linear2(F.relu(self.linear1(x)))
        return self.norm3(x + self.dropout(y))
