# both attentions with the sequence first, turned around and back
class DecoderBlock(nn.Module):
    def __init__(self, d_model=128, n_heads=8, d_ff=512, dropout=0.1):
        super().__init__()
        self.self_attn = nn.MultiheadAttention(d_model, n_heads, dropout=dropout)
        self.multihead_attn = nn.MultiheadAttention(d_model, n_heads, dropout=dropout)
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.norm1 = nn.LayerNorm(d_model)
        self.norm2 = nn.LayerNorm(d_model)
        self.norm3 = nn.LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, memory, memory_key_padding_mask=None):
        T = x.shape[1]
        mask = torch.triu(torch.ones(T, T, dtype=torch.bool), diagonal=1)
        y = x.mT.permute(2, 0, 1)
        sa = self.self_attn(y, y, y, attn_mask=mask)[0].permute(1, 0, 2)
        x = self.norm1(x + self.dropout(sa))
        m = memory.transpose(0, 1)
        ca = self.multihead_attn(x.transpose(0, 1), m, m, key_padding_mask=memory_key_padding_mask)[
            0
        ]
        ca = ca.transpose(0, 1)
        x = self.norm2(x + self.dropout(ca))
        ff = self.linear2(F.relu(self.linear1(x)))
        return self.norm3(x + self.dropout(ff))
