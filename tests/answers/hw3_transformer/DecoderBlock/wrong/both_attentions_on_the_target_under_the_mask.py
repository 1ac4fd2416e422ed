# named: decoder-no-cross-attention-but-causal
# the second attention looks at the target as well, under the mask
class DecoderBlock(nn.Module):
    def __init__(self, d_model=128, n_heads=8, d_ff=512, dropout=0.1):
        super().__init__()
        mha = dict(num_heads=n_heads, dropout=dropout, batch_first=True)
        self.self_attn, self.multihead_attn = (
            nn.MultiheadAttention(d_model, **mha),
            nn.MultiheadAttention(d_model, **mha),
        )
        self.linear1, self.linear2 = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        for i in (1, 2, 3):
            setattr(self, f"norm{i}", nn.LayerNorm(d_model))
        self.drop = nn.Dropout(dropout)

    def forward(self, x, memory, memory_key_padding_mask=None):
        hide = torch.ones(x.shape[1], x.shape[1]).triu(1).bool()
        x = self.norm1(x + self.drop(self.self_attn(x, x, x, attn_mask=hide)[0]))
        x = self.norm2(x + self.drop(self.multihead_attn(x, x, x, attn_mask=hide)[0]))
        return self.norm3(x + self.drop(self.linear2(self.linear1(x).relu())))
