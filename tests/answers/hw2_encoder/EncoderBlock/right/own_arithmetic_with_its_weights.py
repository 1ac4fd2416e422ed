# attention computed by hand from the weights of self_attn
class EncoderBlock(nn.Module):
    def __init__(self, d_model=128, n_heads=8, d_ff=512, dropout=0.1):
        super().__init__()

        self.n_heads = n_heads
        self.self_attn = nn.MultiheadAttention(d_model, n_heads, batch_first=True)
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.norm1 = nn.LayerNorm(d_model)
        self.norm2 = nn.LayerNorm(d_model)
        self.dropout1 = nn.Dropout(dropout)
        self.dropout2 = nn.Dropout(dropout)

    def attention(self, x, padding):
        projected = F.linear(x, self.self_attn.in_proj_weight, self.self_attn.in_proj_bias)
        Q, K, V = projected.unflatten(-1, (3, self.n_heads, -1)).permute(2, 0, 3, 1, 4)
        scores = Q @ K.mT / K.shape[-1] ** 0.5
        if padding is not None:
            scores = scores.masked_fill(padding[:, None, None, :], -math.inf)
        return self.self_attn.out_proj((scores.softmax(-1) @ V).transpose(1, 2).flatten(2))

    def forward(self, x, key_padding_mask=None):
        residual = x
        x = self.dropout1(self.attention(x, key_padding_mask))
        x = self.norm1(residual + x)
        residual = x
        x = self.dropout2(self.linear2(self.linear1(x).relu()))
        return self.norm2(residual + x)
