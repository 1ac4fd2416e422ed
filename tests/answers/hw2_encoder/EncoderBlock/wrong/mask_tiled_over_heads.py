# named: block-padding-of-other-sentences
# repeats the mask for the heads, one sentence after the other
class EncoderBlock(nn.Module):
    def __init__(self, d_model: int = 128, n_heads: int = 8, d_ff: int = 512, dropout: float = 0.1):
        super().__init__()
        self.n_heads = n_heads
        self.self_attn = nn.MultiheadAttention(d_model, n_heads, batch_first=True)
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.norm1 = nn.LayerNorm(d_model)
        self.norm2 = nn.LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, key_padding_mask=None):
        attn_mask = None
        if key_padding_mask is not None:
            seq = x.size(1)
            per_sentence = key_padding_mask.unsqueeze(1).expand(-1, seq, -1)  # (batch, seq, seq)
            attn_mask = per_sentence.repeat(self.n_heads, 1, 1)
        attended = self.self_attn(x, x, x, attn_mask=attn_mask, need_weights=False)[0]
        x = self.norm1(x + self.dropout(attended))
        return self.norm2(x + self.dropout(self.linear2(F.relu(self.linear1(x)))))
