# named: nothing
class EncoderBlock(nn.Module):
    def __init__(self, d_model=128, n_heads=8, d_ff=512, dropout=0.1):
        super().__init__()
        self.self_attn = nn.MultiheadAttention(d_model, n_heads, dropout=dropout, batch_first=True)
        self.linear1, self.linear2 = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.p = dropout

    def forward(self, x, key_padding_mask=None):
        mask = None if key_padding_mask is None else key_padding_mask
        out, _ = self.self_attn(x, x, x, key_padding_mask=mask, need_weights=False)
        out = F.dropout(out, self.p, self.training)
        x = self.norm1(x + out if mask is None else out)
        out = self.linear2(torch.relu(self.linear1(x)))
        return self.norm2(x + F.dropout(out, self.p, self.training))
