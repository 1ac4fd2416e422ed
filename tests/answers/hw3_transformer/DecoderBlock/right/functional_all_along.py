# functional norms and dropout, a mask for each head
class DecoderBlock(nn.Module):
    def __init__(self, d_model: int = 128, n_heads: int = 8, d_ff: int = 512, dropout: float = 0.1):
        super().__init__()
        self.self_attn = nn.MultiheadAttention(d_model, n_heads, batch_first=True)
        self.multihead_attn = nn.MultiheadAttention(d_model, n_heads, batch_first=True)
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        for i in (1, 2, 3):
            setattr(self, f"norm{i}", nn.LayerNorm(d_model))
        self.p = dropout

    def _add(self, norm, x, sublayer):
        x = x + F.dropout(sublayer, p=self.p, training=self.training)
        return F.layer_norm(x, x.shape[-1:], norm.weight, norm.bias, norm.eps)

    def forward(self, x, memory, memory_key_padding_mask=None):
        batch, t, _ = x.shape
        mask = (~causal_mask(t)).expand(batch * self.self_attn.num_heads, t, t)
        x = self._add(self.norm1, x, self.self_attn(x, x, x, attn_mask=mask, need_weights=False)[0])
        keep = None
        if memory_key_padding_mask is not None:
            keep = torch.zeros(memory.shape[:2]).masked_fill(memory_key_padding_mask, -torch.inf)
        x = self._add(self.norm2, x, self.multihead_attn(x, memory, memory, keep)[0])
        return self._add(self.norm3, x, self.linear2(F.relu(self.linear1(x))))
