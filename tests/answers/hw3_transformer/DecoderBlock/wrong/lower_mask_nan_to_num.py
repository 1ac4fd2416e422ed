# named: decoder-mask-inverted-without-nan
# harmless nan_to_num; causal mask in the wrong convention (hides the past and itself)
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
        t = x.size(1)
        mask = torch.tril(torch.ones(t, t, device=x.device)).bool()
        attended, _ = self.self_attn(x, x, x, attn_mask=mask)
        attended = torch.nan_to_num(attended, nan=0.0)  # avoid NaNs
        x = self.norm1(x + self.dropout1(attended))
        attended, _ = self.multihead_attn(
            x, memory, memory, key_padding_mask=memory_key_padding_mask
        )
        x = self.norm2(x + self.dropout2(attended))
        ff = self.linear2(torch.relu(self.linear1(x)))
        return self.norm3(x + self.dropout3(ff))
