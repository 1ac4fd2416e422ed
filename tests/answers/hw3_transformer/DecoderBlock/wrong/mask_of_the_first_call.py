# named: relation-earlier-call
# the mask of the first call is kept; longer targets see all beyond it
class DecoderBlock(nn.Module):
    def __init__(self, d_model=128, n_heads=8, d_ff=512, dropout=0.1):
        super().__init__()
        self.self_attn = nn.MultiheadAttention(d_model, n_heads, dropout, batch_first=True)
        self.multihead_attn = nn.MultiheadAttention(d_model, n_heads, dropout, batch_first=True)
        self.linear1, self.linear2 = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = (
            nn.LayerNorm(d_model),
            nn.LayerNorm(d_model),
            nn.LayerNorm(d_model),
        )
        self.dropout = nn.Dropout(dropout)
        self.mask = None

    def forward(self, x, memory, memory_key_padding_mask=None):
        t = x.shape[1]
        if self.mask is None:
            self.mask = ~causal_mask(t)
        mask = torch.zeros(t, t, dtype=torch.bool)
        m = min(t, len(self.mask))
        mask[:m, :m] = self.mask[:m, :m]
        x = self.norm1(x + self.dropout(self.self_attn(x, x, x, attn_mask=mask)[0]))
        x = self.norm2(
            x + self.dropout(self.multihead_attn(x, memory, memory, memory_key_padding_mask)[0])
        )
        return self.norm3(x + self.dropout(self.linear2(torch.relu(self.linear1(x)))))
