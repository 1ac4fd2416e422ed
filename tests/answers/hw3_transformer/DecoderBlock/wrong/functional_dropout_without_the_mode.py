# named: decoder-dropout-in-eval-mode
# F.dropout isn't told the mode, and drops out in both
class DecoderBlock(nn.Module):
    def __init__(self, d_model=128, n_heads=8, d_ff=512, dropout=0.1):
        super().__init__()
        self.self_attn = nn.MultiheadAttention(d_model, n_heads, dropout, batch_first=True)
        self.multihead_attn = nn.MultiheadAttention(d_model, n_heads, dropout, batch_first=True)
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.norm1 = nn.LayerNorm(d_model)
        self.norm2 = nn.LayerNorm(d_model)
        self.norm3 = nn.LayerNorm(d_model)
        self.rate = dropout

    def forward(self, x, memory, memory_key_padding_mask=None):
        hidden = torch.ones(x.shape[1], x.shape[1]).triu(1).bool()
        attended, _ = self.self_attn(x, x, x, attn_mask=hidden)
        attended = F.dropout(attended, self.rate)
        total = x + attended
        y = self.norm1(total)
        padding = memory_key_padding_mask
        found, _ = self.multihead_attn(y, memory, memory, key_padding_mask=padding)
        found = F.dropout(found, self.rate)
        total = y + found
        z = self.norm2(total)
        inner = F.relu(self.linear1(z))
        transformed = self.linear2(inner)
        transformed = F.dropout(transformed, self.rate)
        total = z + transformed
        result = self.norm3(total)
        return result
