# named: decoder-mask-as-long-as-the-memory
class DecoderBlock(nn.Module):
    def __init__(self, d_model=128, n_heads=8, d_ff=512, dropout=0.1):
        super().__init__()
        self.self_attn = nn.MultiheadAttention(d_model, n_heads, dropout=dropout, batch_first=True)
        self.multihead_attn = nn.MultiheadAttention(d_model, n_heads, dropout=dropout, batch_first=True)
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.norm1 = nn.LayerNorm(d_model)
        self.norm2 = nn.LayerNorm(d_model)
        self.norm3 = nn.LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, memory, memory_key_padding_mask=None):
        seq_len = memory.shape[1]
        attn_mask = ~causal_mask(seq_len)
        out = self.self_attn(x, x, x, attn_mask=attn_mask)[0]
        x = self.norm1(x + self.dropout(out))
        out = self.multihead_attn(x, memory, memory, key_padding_mask=memory_key_padding_mask)[0]
        x = self.norm2(x + self.dropout(out))
        out = self.linear2(F.relu(self.linear1(x)))
        return self.norm3(x + self.dropout(out))
