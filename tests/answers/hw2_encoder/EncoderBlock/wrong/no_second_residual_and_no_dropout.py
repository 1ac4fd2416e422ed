# named: block-no-residual-around-feed-forward, block-no-dropout
# no second residual, and no dropout
class EncoderBlock(nn.Module):
    def __init__(self, d_model=128, n_heads=8, d_ff=512, dropout=0.1):
        super().__init__()
        self.self_attn = nn.MultiheadAttention(d_model, n_heads, batch_first=True)
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.norm1 = nn.LayerNorm(d_model)
        self.norm2 = nn.LayerNorm(d_model)

    def forward(self, x, key_padding_mask=None):
        y, weights = self.self_attn(query=x, key=x, value=x, key_padding_mask=key_padding_mask)
        y = self.norm1(torch.add(x, y))
        return self.norm2(self.linear2(F.relu(self.linear1(y))))
