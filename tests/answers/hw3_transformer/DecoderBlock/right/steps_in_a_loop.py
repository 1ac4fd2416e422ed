class DecoderBlock(nn.Module):
    def __init__(self, d_model=128, n_heads=8, d_ff=512, dropout=0.1):
        super().__init__()
        att = lambda: nn.MultiheadAttention(d_model, n_heads, batch_first=True)
        self.self_attn, self.multihead_attn = att(), att()
        self.linear1, self.linear2 = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = [nn.LayerNorm(d_model) for _ in "abc"]
        self.p = dropout

    def forward(self, x, memory, memory_key_padding_mask=None):
        steps = [
            (
                self.norm1,
                lambda z: self.self_attn(
                    z, z, z, attn_mask=torch.ones(z.size(1), z.size(1)).triu(1) > 0
                )[0],
            ),
            (
                self.norm2,
                lambda z: self.multihead_attn(z, memory, memory, memory_key_padding_mask)[0],
            ),
            (self.norm3, lambda z: self.linear2(self.linear1(z).relu())),
        ]
        for norm, step in steps:
            out = step(x)
            if self.training and self.p > 0:
                keep = (torch.rand_like(out) >= self.p).to(out)
                out = out * keep / (1 - self.p)
            x = norm(x + out)
        return x
