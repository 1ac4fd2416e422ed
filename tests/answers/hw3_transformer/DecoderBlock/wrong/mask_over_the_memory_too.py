# named: decoder-mask-for-the-memory
# a causal mask in cross-attention as well
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
        mask = ~causal_mask(x.size(1))
        seen = self.self_attn(x, x, x, attn_mask=mask)[0]
        x = self.norm1(x + self.drop(seen))
        found = self.multihead_attn(
            x,
            memory,
            memory,
            key_padding_mask=memory_key_padding_mask,
            attn_mask=torch.ones(x.size(1), memory.size(1)).triu(1).bool(),
        )[0]
        x = self.norm2(x + self.drop(found))
        thought = self.linear2(torch.relu(self.linear1(x)))
        return self.norm3(x + self.drop(thought))
