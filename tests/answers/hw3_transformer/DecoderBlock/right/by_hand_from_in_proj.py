# attention by hand from in_proj_weight, with einsum
class DecoderBlock(nn.Module):
    def __init__(self, d_model=128, n_heads=8, d_ff=512, dropout=0.1):
        super().__init__()
        self.self_attn = nn.MultiheadAttention(d_model, n_heads, batch_first=True)
        self.multihead_attn = nn.MultiheadAttention(d_model, n_heads, batch_first=True)
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.norm1 = nn.LayerNorm(d_model)
        self.norm2 = nn.LayerNorm(d_model)
        self.norm3 = nn.LayerNorm(d_model)
        self.drop = nn.Dropout(dropout)

    @staticmethod
    def _attend(layer, q, kv, hidden):
        h = layer.num_heads
        wq, wk, wv = layer.in_proj_weight.chunk(3)
        bq, bk, bv = layer.in_proj_bias.chunk(3)
        split = lambda z: z.unflatten(-1, (h, -1))
        q, k, v = split(q @ wq.T + bq), split(kv @ wk.T + bk), split(kv @ wv.T + bv)
        scores = torch.einsum("bqhd,bkhd->bhqk", q, k) * q.shape[-1] ** -0.5
        scores = scores.masked_fill(hidden, torch.finfo(scores.dtype).min)
        out = torch.einsum("bhqk,bkhd->bqhd", scores.softmax(-1), v).flatten(-2)
        return layer.out_proj(out)

    def forward(self, x, memory, memory_key_padding_mask=None):
        x = self.norm1(x + self.drop(self._attend(self.self_attn, x, x, ~causal_mask(x.shape[1]))))
        if memory_key_padding_mask is None:
            hidden = torch.zeros(1, 1, 1, memory.shape[1], dtype=torch.bool)
        else:
            hidden = memory_key_padding_mask[:, None, None, :]
        x = self.norm2(x + self.drop(self._attend(self.multihead_attn, x, memory, hidden)))
        return self.norm3(x + self.drop(self.linear2(F.relu(self.linear1(x)))))
