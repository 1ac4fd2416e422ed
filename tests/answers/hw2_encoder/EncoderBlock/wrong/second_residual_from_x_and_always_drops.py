# named: block-second-residual-from-x, block-dropout-in-eval-mode
# second residual from x, and F.dropout that is told no mode
class EncoderBlock(nn.Module):
    def __init__(self, d_model=128, n_heads=8, d_ff=512, dropout=0.1):
        super().__init__()
        self.self_attn = nn.MultiheadAttention(d_model, n_heads, dropout, batch_first=True)
        self.linear1, self.linear2 = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.drop = lambda t: F.dropout(t, dropout)

    def forward(self, x, key_padding_mask=None):
        h = self.norm1(x + self.drop(self.self_attn(x, x, x, key_padding_mask)[0]))
        ff = self.linear2(self.drop(torch.relu(self.linear1(h))))
        return self.norm2(x + self.drop(ff))
