# F.layer_norm with the weights of the norms
class EncoderBlock(nn.Module):
    def __init__(self, d_model=128, n_heads=8, d_ff=512, dropout=0.1):
        super().__init__()
        self.add_module(
            "self_attn", nn.MultiheadAttention(d_model, n_heads, dropout, batch_first=True)
        )
        self.linear1, self.linear2 = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.p = dropout

    def forward(self, x, key_padding_mask=None):
        def add_and_norm(norm, residual, new):
            summed = torch.add(residual, F.dropout(new, self.p, self.training))
            return F.layer_norm(summed, norm.normalized_shape, norm.weight, norm.bias, norm.eps)

        attended, *_ = self.self_attn(x, x, x, key_padding_mask, need_weights=False)
        y = add_and_norm(self.norm1, x, attended)
        hidden = F.dropout(self.linear1(y).clamp_min(0), self.p, self.training)
        return add_and_norm(self.norm2, y, self.linear2(hidden))
