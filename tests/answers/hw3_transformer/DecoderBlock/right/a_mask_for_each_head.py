class Residual(nn.Module):
    def __init__(self, p):
        super().__init__()
        self.drop = nn.Dropout(p)

    def forward(self, x, fn, norm):
        return norm(torch.add(x, self.drop(fn(x))))


class DecoderBlock(nn.Module):
    def __init__(self, d_model=128, n_heads=8, d_ff=512, dropout=0.1):
        super(DecoderBlock, self).__init__()
        parts = dict(
            self_attn=nn.MultiheadAttention(d_model, n_heads, dropout=dropout, batch_first=True),
            multihead_attn=nn.MultiheadAttention(
                d_model, n_heads, dropout=dropout, batch_first=True
            ),
            linear1=nn.Linear(d_model, d_ff),
            linear2=nn.Linear(d_ff, d_model),
            norm1=nn.LayerNorm(d_model),
            norm2=nn.LayerNorm(d_model),
            norm3=nn.LayerNorm(d_model),
        )
        for k, v in parts.items():
            self.add_module(k, v)
        self.res = Residual(dropout)

    def forward(self, x, memory, memory_key_padding_mask=None):
        b, t, d = x.shape
        h = self.self_attn.num_heads
        m = causal_mask(t).logical_not().expand(b * h, t, t)
        x = self.res(x, lambda q: self.self_attn(q, q, q, attn_mask=m)[0], self.norm1)
        x = self.res(
            x,
            lambda q: self.multihead_attn(
                q, memory, memory, key_padding_mask=memory_key_padding_mask
            )[0],
            self.norm2,
        )
        return self.res(
            x, lambda q: self.linear2(torch.maximum(self.linear1(q), torch.zeros(()))), self.norm3
        )
