# functional calls with the modules' weights; the dropout is drawn by hand
class EncoderBlock(nn.Module):
    def __init__(self, d_model=128, n_heads=8, d_ff=512, dropout=0.1):
        super().__init__()

        self.keep = 1 - dropout
        self.self_attn = nn.MultiheadAttention(d_model, n_heads, batch_first=True)
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.norm1 = nn.LayerNorm(d_model)
        self.norm2 = nn.LayerNorm(d_model)

    def drop(self, x):
        if not self.training:
            return x
        return x * (torch.rand(x.shape) < self.keep) / self.keep

    def add_and_norm(self, x, change, norm):
        x = torch.add(x, self.drop(change))
        return F.layer_norm(x, norm.normalized_shape, norm.weight, norm.bias, norm.eps)

    def forward(self, x, key_padding_mask=None):
        m, tokens = self.self_attn, x.transpose(0, 1)
        attended, _ = F.multi_head_attention_forward(
            tokens, tokens, tokens, m.embed_dim, m.num_heads, m.in_proj_weight, m.in_proj_bias,
            None, None, False, 0.0, m.out_proj.weight, m.out_proj.bias,
            key_padding_mask=key_padding_mask, need_weights=False,
        )  # fmt: skip
        x = self.add_and_norm(x, attended.transpose(0, 1), self.norm1)
        hidden = F.linear(x, self.linear1.weight, self.linear1.bias).clamp_min(0)
        return self.add_and_norm(
            x, F.linear(hidden, self.linear2.weight, self.linear2.bias), self.norm2
        )
