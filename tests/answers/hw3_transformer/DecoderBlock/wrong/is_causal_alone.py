# named: decoder-is-causal-alone
# odd style; only the hint is_causal=True without a mask (torch raises)
class DecoderBlock(nn.Module):
    def __init__(self, d_model=128, n_heads=8, d_ff=512, dropout=0.1):
        super().__init__()
        mha = lambda: nn.MultiheadAttention(d_model, n_heads, dropout, batch_first=True)
        self.self_attn, self.multihead_attn = mha(), mha()
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = (nn.LayerNorm(d_model) for _ in range(3))
        self.drop = nn.Dropout(dropout)

    def forward(self, x, memory, memory_key_padding_mask=None):
        a, _ = self.self_attn(x, x, x, is_causal=True)
        x = self.norm1(x + self.drop(a))
        a, _ = self.multihead_attn(x, memory, memory, key_padding_mask=memory_key_padding_mask)
        x = self.norm2(x + self.drop(a))
        return self.norm3(x + self.drop(self.linear2(F.relu(self.linear1(x)))))
