# the mask as attn_mask of four heads, loops over the two sublayers, LayerNorm by hand from the
# norms' weights
class EncoderBlock(nn.Module):
    def __init__(self, d_model=128, n_heads=8, d_ff=512, dropout=0.1):
        super().__init__()
        self.self_attn = nn.MultiheadAttention(d_model, n_heads, batch_first=True)
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.norm1 = nn.LayerNorm(d_model)
        self.norm2 = nn.LayerNorm(d_model)
        self.after_attention = nn.Dropout(dropout)
        self.after_network = nn.Dropout(dropout)

    def forward(self, x, key_padding_mask=None):
        hidden = None
        if key_padding_mask is not None:
            times = self.self_attn.num_heads
            hidden = key_padding_mask[:, None, :].expand(-1, x.shape[1], -1)
            hidden = hidden.repeat_interleave(times, dim=0)
        sublayers = [
            (
                lambda y: self.self_attn(y, y, y, attn_mask=hidden)[0],
                self.after_attention,
                self.norm1,
            ),
            (lambda y: self.linear2(self.linear1(y).relu()), self.after_network, self.norm2),
        ]
        for sublayer, drop, norm in sublayers:
            total = x + drop(sublayer(x))
            centred = total - total.mean(-1, keepdim=True)
            spread = (centred.square().mean(-1, keepdim=True) + norm.eps).rsqrt()
            x = centred * spread * norm.weight + norm.bias
        return x
