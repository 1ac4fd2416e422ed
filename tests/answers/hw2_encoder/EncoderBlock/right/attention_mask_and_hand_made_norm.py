# padding as a float mask per head, the norm written out
class EncoderBlock(nn.Module):
    def __init__(self, d_model=128, n_heads=8, d_ff=512, dropout=0.1):
        super().__init__()

        self.n_heads = n_heads
        self.self_attn = nn.MultiheadAttention(d_model, n_heads, dropout, batch_first=True)
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.norm1 = nn.LayerNorm(d_model)
        self.norm2 = nn.LayerNorm(d_model)
        self.drop = nn.Dropout(dropout)

    @staticmethod
    def normalise(x, norm):
        centred = x - x.mean(-1, keepdim=True)
        deviation = torch.sqrt(centred.square().mean(-1, keepdim=True) + norm.eps)
        return centred / deviation * norm.weight + norm.bias

    def forward(self, x, key_padding_mask=None):
        mask = None
        if key_padding_mask is not None:
            hidden = torch.zeros(key_padding_mask.shape).masked_fill(key_padding_mask, -math.inf)
            mask = hidden.repeat_interleave(self.n_heads, 0).unsqueeze(1).expand(-1, x.size(1), -1)
        attended = self.self_attn(x, x, x, attn_mask=mask)[0]
        x = self.normalise(x + self.drop(attended), self.norm1)
        hidden = self.drop(torch.clamp(self.linear1(x), min=0))
        return self.normalise(x + self.drop(self.linear2(hidden)), self.norm2)
