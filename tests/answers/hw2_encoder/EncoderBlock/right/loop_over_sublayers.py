# a loop over (sublayer, norm) pairs, residual added by the loop
class EncoderBlock(nn.Module):
    def __init__(self, d_model=128, n_heads=8, d_ff=512, dropout=0.1):
        super().__init__()

        self.self_attn = nn.MultiheadAttention(d_model, n_heads, dropout, batch_first=True)
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.norms = nn.ModuleList([nn.LayerNorm(d_model) for _ in range(2)])
        self.norm1, self.norm2 = self.norms
        self.dropout = nn.Dropout(p=dropout)

    def forward(self, x, key_padding_mask=None):
        sublayers = (
            lambda x: self.self_attn(x, x, x, key_padding_mask)[0],
            lambda x: self.linear2(torch.relu(self.linear1(x))),
        )
        for sublayer, norm in zip(sublayers, self.norms):
            x = norm(self.dropout(sublayer(x)) + x)
        return x
