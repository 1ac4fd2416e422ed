# named: decoder-dropout-after-the-norms
# dropout acts on what the norms return
class DecoderBlock(nn.Module):
    def __init__(self, d_model=128, n_heads=8, d_ff=512, dropout=0.1):
        super().__init__()
        attn = lambda: nn.MultiheadAttention(d_model, n_heads, dropout, batch_first=True)
        self.self_attn = attn()
        self.multihead_attn = attn()
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        for i in (1, 2, 3):
            setattr(self, f"norm{i}", nn.LayerNorm(d_model))
        self.p = dropout

    def add_norm(self, x, sub, norm):
        return F.dropout(norm(x + sub), self.p, self.training)

    def forward(self, x, memory, memory_key_padding_mask=None):
        T = x.shape[-2]
        mask = torch.full((T, T), float("-inf"), device=x.device).triu(1)
        a = self.self_attn(x, x, x, attn_mask=mask, need_weights=False)[0]
        x = self.add_norm(x, a, self.norm1)
        b = self.multihead_attn(x, memory, memory, memory_key_padding_mask)[0]
        x = self.add_norm(x, b, self.norm2)
        f = self.linear2(F.relu(self.linear1(x)))
        return self.add_norm(x, f, self.norm3)
