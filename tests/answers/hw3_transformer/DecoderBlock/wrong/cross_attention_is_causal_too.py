# named: decoder-mask-for-the-memory
# cross-attention with a causal rectangle
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
        self.dropout1 = nn.Dropout(dropout)
        self.dropout2 = nn.Dropout(dropout)
        self.dropout3 = nn.Dropout(dropout)

    def forward(self, x, memory, memory_key_padding_mask=None):
        t, s = x.shape[1], memory.shape[1]
        hidden = ~causal_mask(max(t, s)).to(x.device)
        attn, _ = self.self_attn(x, x, x, attn_mask=hidden[:t, :t])
        x = self.norm1(x + self.dropout1(attn))
        cross, _ = self.multihead_attn(
            x, memory, memory, attn_mask=hidden[:t, :s], key_padding_mask=memory_key_padding_mask
        )
        x = self.norm2(x + self.dropout2(cross))
        ff = self.linear2(F.relu(self.linear1(x)))
        return self.norm3(x + self.dropout3(ff))
