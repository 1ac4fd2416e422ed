# a dropout each, norms in a list as well
class DecoderBlock(nn.Module):
    def __init__(self, d_model=128, n_heads=8, d_ff=512, dropout=0.1):
        super().__init__()
        self.self_attn = nn.MultiheadAttention(d_model, n_heads, dropout, batch_first=True)
        self.multihead_attn = nn.MultiheadAttention(d_model, n_heads, dropout, batch_first=True)
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.feed_forward = nn.Sequential(
            self.linear1, nn.ReLU(), nn.Dropout(dropout), self.linear2, nn.Dropout(dropout)
        )
        self.norm1, self.norm2, self.norm3 = (nn.LayerNorm(d_model) for _ in range(3))
        self.norms = nn.ModuleList([self.norm1, self.norm2, self.norm3])
        self.dropout1, self.dropout2 = nn.Dropout(dropout), nn.Dropout(dropout)

    def look(self, x):
        n = x.shape[1]
        later = torch.arange(n)[None, :] > torch.arange(n)[:, None]
        return self.dropout1(self.self_attn(x, x, x, attn_mask=later, is_causal=False)[0])

    def forward(self, x, memory, memory_key_padding_mask=None):
        def ask(y):
            found = self.multihead_attn(
                query=y, key=memory, value=memory, key_padding_mask=memory_key_padding_mask
            )
            return self.dropout2(found[0])

        for norm, sublayer in zip(self.norms, (self.look, ask, self.feed_forward)):
            x = norm(x + sublayer(x))
        return x
