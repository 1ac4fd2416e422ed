# named: decoder-mask-of-ones-ahead
# what: the mask is a float triangle of ones, which torch adds to the scores, so later tokens are preferred instead of hidden
class DecoderBlock(nn.Module):
    def __init__(self, d_model=128, n_heads=8, d_ff=512, dropout=0.1):
        super().__init__()
        self.self_attn = nn.MultiheadAttention(d_model, n_heads, batch_first=True)
        self.multihead_attn = nn.MultiheadAttention(d_model, n_heads, batch_first=True)
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = (nn.LayerNorm(d_model) for _ in "abc")
        self.do = nn.Dropout(dropout)

    def forward(self, x, memory, memory_key_padding_mask=None):
        ahead = torch.triu(torch.ones(x.size(1), x.size(1)), diagonal=1)
        x = self.norm1(x + self.do(self.self_attn(x, x, x, attn_mask=ahead)[0]))
        m = self.multihead_attn(x, memory, memory, key_padding_mask=memory_key_padding_mask)[0]
        x = self.norm2(x + self.do(m))
        return self.norm3(x + self.do(self.linear2(F.relu(self.linear1(x)))))
