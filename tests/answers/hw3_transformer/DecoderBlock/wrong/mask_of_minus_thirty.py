# named: decoder-hidden-by-minus-30
# what: later tokens get -30 instead of -inf, which large scores overcome
class DecoderBlock(nn.Module):
    def __init__(self, d_model=128, n_heads=8, d_ff=512, dropout=0.1):
        super().__init__()
        self.self_attn = nn.MultiheadAttention(d_model, n_heads, batch_first=True)
        self.multihead_attn = nn.MultiheadAttention(d_model, n_heads, batch_first=True)
        self.linear1, self.linear2 = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = [nn.LayerNorm(d_model) for _ in range(3)]
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, memory, memory_key_padding_mask=None):
        t = x.shape[1]
        penalty = -30.0 * torch.triu(torch.ones(t, t), 1)
        x = self.norm1(x + self.dropout(self.self_attn(x, x, x, attn_mask=penalty)[0]))
        x = self.norm2(
            x + self.dropout(self.multihead_attn(x, memory, memory, memory_key_padding_mask)[0])
        )
        return self.norm3(x + self.dropout(self.linear2(F.relu(self.linear1(x)))))
