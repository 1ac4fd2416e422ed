# one sentence after another, without its padding
class DecoderBlock(nn.Module):
    def __init__(self, d_model=128, n_heads=8, d_ff=512, dropout=0.1):
        super().__init__()
        self.self_attn = nn.MultiheadAttention(d_model, n_heads)
        self.multihead_attn = nn.MultiheadAttention(d_model, n_heads)
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.norm1 = nn.LayerNorm(d_model)
        self.norm2 = nn.LayerNorm(d_model)
        self.norm3 = nn.LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)

    def one(self, x, memory):
        seen, _ = self.self_attn(x, x, x, attn_mask=causal_mask(len(x)).logical_not())
        x = self.norm1(x + self.dropout(seen))
        found, _ = self.multihead_attn(x, memory, memory)
        x = self.norm2(x + self.dropout(found))
        return self.norm3(x + self.dropout(self.linear2(self.linear1(x).relu())))

    def forward(self, x, memory, memory_key_padding_mask=None):
        results = []
        for row in range(len(x)):
            source = memory[row]
            if memory_key_padding_mask is not None:
                source = source[~memory_key_padding_mask[row]]
            results.append(self.one(x[row], source))
        return torch.stack(results)
