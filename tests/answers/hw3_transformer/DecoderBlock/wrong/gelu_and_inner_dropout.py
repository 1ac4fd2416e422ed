# named: decoder-gelu
# GELU in place of ReLU, a dropout inside the feed-forward network (harmless)
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
        self.dropout1, self.dropout2, self.dropout3, self.dropout = (
            nn.Dropout(dropout) for _ in range(4)
        )

    def forward(self, x, memory, memory_key_padding_mask=None):
        mask = torch.full((x.shape[1],) * 2, -torch.inf).triu(1)
        x = self.norm1(
            x + self.dropout1(self.self_attn(x, x, x, attn_mask=mask, need_weights=False)[0])
        )
        x = self.norm2(
            x
            + self.dropout2(
                self.multihead_attn(
                    x, memory, memory, key_padding_mask=memory_key_padding_mask, need_weights=False
                )[0]
            )
        )
        return self.norm3(x + self.dropout3(self.linear2(self.dropout(F.gelu(self.linear1(x))))))
