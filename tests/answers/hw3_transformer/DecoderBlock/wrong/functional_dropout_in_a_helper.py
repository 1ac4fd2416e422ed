# named: decoder-dropout-in-eval-mode
# F.dropout without training=: drops in eval too; attention from inside a helper (style)
class DecoderBlock(nn.Module):
    def __init__(self, d_model=128, n_heads=8, d_ff=512, dropout=0.1):
        super().__init__()
        self.p = dropout
        for name in ("self_attn", "multihead_attn"):
            setattr(
                self,
                name,
                nn.MultiheadAttention(d_model, n_heads, dropout=dropout, batch_first=True),
            )
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        for i in (1, 2, 3):
            setattr(self, f"norm{i}", nn.LayerNorm(d_model))

    def _add(self, norm, x, y):
        return norm(x + F.dropout(y, self.p))

    def forward(self, x, memory, memory_key_padding_mask=None):
        x = self._add(self.norm1, x, self.self_attn(x, x, x, attn_mask=~causal_mask(x.shape[1]))[0])
        x = self._add(
            self.norm2,
            x,
            self.multihead_attn(x, memory, memory, key_padding_mask=memory_key_padding_mask)[0],
        )
        return self._add(self.norm3, x, self.linear2(self.linear1(x).clamp(min=0)))
