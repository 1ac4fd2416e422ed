# attention that goes by nothing: all that isn't padding is averaged
class EncoderBlock(nn.Module):
    def __init__(self, d_model=128, n_heads=8, d_ff=512, dropout=0.1):
        super().__init__()
        self.self_attn = nn.MultiheadAttention(d_model, n_heads, dropout, batch_first=True)
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.norm1 = nn.LayerNorm(d_model)
        self.norm2 = nn.LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, key_padding_mask=None):
        d = x.shape[-1]
        values = F.linear(
            x, self.self_attn.in_proj_weight[2 * d :], self.self_attn.in_proj_bias[2 * d :]
        )
        real = torch.ones(x.shape[:2]) if key_padding_mask is None else (~key_padding_mask).float()
        mean = (values * real.unsqueeze(-1)).sum(1, keepdim=True) / real.sum(1)[:, None, None]
        found = self.self_attn.out_proj(mean.expand_as(x))
        x = self.norm1(x + self.dropout(found))
        return self.norm2(x + self.dropout(self.linear2(F.relu(self.linear1(x)))))
