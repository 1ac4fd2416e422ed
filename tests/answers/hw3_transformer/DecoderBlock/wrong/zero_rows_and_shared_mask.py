# named: nothing
# two mistakes: memory tokens whose features are all 0 are hidden as padding unless a mask is
# given (nan if all are), and a mask of which the first sentence has no padding is ignored for
# all
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
        self.drop = nn.Dropout(dropout)

    def forward(self, x, memory, memory_key_padding_mask=None):
        pad = memory_key_padding_mask
        if pad is None:
            pad = memory.abs().sum(-1) == 0
        elif not pad[0].any():
            pad = None  # nothing to hide, use the fast path
        t = x.shape[1]
        later = torch.triu(torch.full((t, t), float("-inf")), diagonal=1)
        if pad is not None:
            pad = torch.zeros(pad.shape).masked_fill(pad, float("-inf"))
        x = self.norm1(x + self.drop(self.self_attn(x, x, x, attn_mask=later)[0]))
        x = self.norm2(
            x + self.drop(self.multihead_attn(x, memory, memory, key_padding_mask=pad)[0])
        )
        return self.norm3(x + self.drop(self.linear2(F.relu(self.linear1(x)))))
