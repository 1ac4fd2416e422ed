# named: decoder-memory-through-norm2
# the memory goes through norm2 before cross-attention
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
        self.drop = nn.Dropout(dropout)

    def forward(self, x, memory, memory_key_padding_mask=None):
        h, _ = self.self_attn(x, x, x, attn_mask=~causal_mask(x.shape[1]))
        x = self.norm1(x + self.drop(h))
        memory = self.norm2(memory)
        h, _ = self.multihead_attn(x, memory, memory, key_padding_mask=memory_key_padding_mask)
        x = self.norm2(x + self.drop(h))
        h = self.linear2(F.relu(self.linear1(x)))
        return self.norm3(x + self.drop(h))
