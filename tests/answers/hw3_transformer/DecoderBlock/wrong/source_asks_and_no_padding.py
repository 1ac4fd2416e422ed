# named: decoder-memory-asks, decoder-padding-ignored
# cross-attention queries come from the memory (then cut to t? no: shape s)
class DecoderBlock(nn.Module):
    def __init__(self, d_model=128, n_heads=8, d_ff=512, dropout=0.1):
        super().__init__()
        self.self_attn = nn.MultiheadAttention(d_model, n_heads, dropout=dropout, batch_first=True)
        self.multihead_attn = nn.MultiheadAttention(
            d_model, n_heads, dropout=dropout, batch_first=True
        )
        self.linear1, self.linear2 = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = (nn.LayerNorm(d_model) for _ in range(3))
        self.drop = nn.Dropout(dropout)

    def forward(self, x, memory, memory_key_padding_mask=None):
        mask = ~causal_mask(x.size(1))
        a = self.self_attn(x, x, x, attn_mask=mask)[0]
        x = self.norm1(x + self.drop(a))
        c = self.multihead_attn(memory, x, x)[0]
        x = self.norm2(x + self.drop(c))
        f = self.linear2(torch.relu(self.linear1(x)))
        return self.norm3(x + self.drop(f))
