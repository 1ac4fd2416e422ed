# self-attention one query at a time, no mask at all
class DecoderBlock(nn.Module):
    def __init__(self, d_model=128, n_heads=8, d_ff=512, dropout=0.1):
        super().__init__()
        self.self_attn = nn.MultiheadAttention(d_model, n_heads, batch_first=True)
        self.multihead_attn = nn.MultiheadAttention(d_model, n_heads, batch_first=True)
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.norm1 = nn.LayerNorm(d_model)
        self.norm2 = nn.LayerNorm(d_model)
        self.norm3 = nn.LayerNorm(d_model)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, memory, memory_key_padding_mask=None):
        seen = []
        for i in range(x.shape[1]):
            past = x[:, : i + 1]
            seen.append(self.self_attn(past[:, -1:], past, past)[0])
        x = self.norm1(x + self.drop(torch.cat(seen, 1)))
        over, _ = self.multihead_attn(x, memory, memory, memory_key_padding_mask)
        x = self.norm2(x + self.drop(over))
        return self.norm3(x + self.drop(self.linear2(self.linear1(x).relu())))
