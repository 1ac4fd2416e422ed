# named: crash-reshape
# a mask that hides nothing, of 512 tokens
class EncoderBlock(nn.Module):
    def __init__(self, d_model=128, n_heads=8, d_ff=512, dropout=0.1):
        super().__init__()
        self.self_attn = nn.MultiheadAttention(d_model, n_heads, dropout, batch_first=True)
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.norm1 = nn.LayerNorm(d_model)
        self.norm2 = nn.LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.see_all = torch.zeros(512, 512, dtype=torch.bool)

    def forward(self, x, key_padding_mask=None):
        seq = x.shape[1]
        attended, _ = self.self_attn(
            x, x, x, key_padding_mask=key_padding_mask, attn_mask=self.see_all[:seq, :seq]
        )
        attended = self.dropout(attended)
        total = x + attended
        normed = self.norm1(total)
        hidden = F.relu(self.linear1(normed))
        transformed = self.linear2(hidden)
        transformed = self.dropout(transformed)
        total = normed + transformed
        result = self.norm2(total)
        return result
