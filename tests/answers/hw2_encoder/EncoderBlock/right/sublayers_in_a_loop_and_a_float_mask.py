class EncoderBlock(nn.Module):
    def __init__(self, d_model=128, n_heads=8, d_ff=512, dropout=0.1):
        super().__init__()
        self.self_attn = nn.MultiheadAttention(d_model, n_heads, batch_first=True)
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.norm1 = nn.LayerNorm(d_model)
        self.norm2 = nn.LayerNorm(d_model)
        self.p = dropout

    def forward(self, x, key_padding_mask=None):
        m = None
        if key_padding_mask is not None:
            m = torch.zeros(key_padding_mask.shape).masked_fill(key_padding_mask, -math.inf)
        for sublayer, norm in (
            (
                lambda t: self.self_attn(t, t, t, key_padding_mask=m, need_weights=False)[0],
                self.norm1,
            ),
            (lambda t: self.linear2(self.linear1(t).relu()), self.norm2),
        ):
            x = norm(x + F.dropout(sublayer(x), self.p, self.training))
        return x
