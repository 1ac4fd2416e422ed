# a float mask for attn, the parts called by functional forms, residuals with torch.add
class EncoderBlock(nn.Module):
    def __init__(self, d_model=128, n_heads=8, d_ff=512, dropout=0.1):
        super().__init__()
        self.p = dropout
        self.self_attn = nn.MultiheadAttention(d_model, n_heads, dropout=dropout, batch_first=True)
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, key_padding_mask=None):
        padding = None
        if key_padding_mask is not None:
            padding = torch.zeros(key_padding_mask.shape).masked_fill(key_padding_mask, -torch.inf)
        a = self.self_attn(x, x, x, key_padding_mask=padding, need_weights=False)[0]
        a = F.dropout(a, self.p, training=self.training)
        x = F.layer_norm(torch.add(x, a), x.shape[-1:], self.norm1.weight, self.norm1.bias)
        f = F.linear(
            F.relu(F.linear(x, self.linear1.weight, self.linear1.bias)), self.linear2.weight
        )
        f = F.dropout(f + self.linear2.bias, self.p, training=self.training)
        return F.layer_norm(torch.add(x, f), x.shape[-1:], self.norm2.weight, self.norm2.bias)
