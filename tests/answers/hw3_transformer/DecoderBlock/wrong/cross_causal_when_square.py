# named: decoder-cross-attention-causal-where-as-long
# the cross-attention is causal too whenever t equals s, so early tokens don't see the whole memory
class DecoderBlock(nn.Module):
    def __init__(self, d_model=128, n_heads=8, d_ff=512, dropout=0.1):
        super().__init__()
        self.self_attn = nn.MultiheadAttention(d_model, n_heads, dropout=dropout, batch_first=True)
        self.multihead_attn = nn.MultiheadAttention(
            d_model, n_heads, dropout=dropout, batch_first=True
        )
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.norm1 = nn.LayerNorm(d_model)
        self.norm2 = nn.LayerNorm(d_model)
        self.norm3 = nn.LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)

    def _attend(self, layer, q, kv, pad=None):
        mask = ~causal_mask(q.shape[1]) if q.shape == kv.shape else None
        return self.dropout(layer(q, kv, kv, attn_mask=mask, key_padding_mask=pad)[0])

    def forward(self, x, memory, memory_key_padding_mask=None):
        x = self.norm1(x + self._attend(self.self_attn, x, x))
        x = self.norm2(x + self._attend(self.multihead_attn, x, memory, memory_key_padding_mask))
        return self.norm3(x + self.dropout(self.linear2(F.relu(self.linear1(x)))))
