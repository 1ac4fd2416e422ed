# named: decoder-dropout-takes-the-residual
# dropout after each norm, not on the sublayers
class DecoderBlock(nn.Module):
    def __init__(self, d_model=128, n_heads=8, d_ff=512, dropout=0.1):
        super().__init__()
        make = lambda: nn.MultiheadAttention(d_model, n_heads, batch_first=True)
        self.self_attn, self.multihead_attn = make(), make()
        self.linear1, self.linear2 = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = (nn.LayerNorm(d_model) for _ in range(3))
        self.drop = nn.Dropout(dropout)

    def forward(self, x, memory, memory_key_padding_mask=None):
        later = torch.ones(x.shape[1], x.shape[1], dtype=torch.bool).triu(1)
        x = self.drop(self.norm1(x + self.self_attn(x, x, x, attn_mask=later)[0]))
        x = self.drop(
            self.norm2(
                x
                + self.multihead_attn(x, memory, memory, key_padding_mask=memory_key_padding_mask)[
                    0
                ]
            )
        )
        return self.drop(self.norm3(x + self.linear2(self.linear1(x).relu())))
