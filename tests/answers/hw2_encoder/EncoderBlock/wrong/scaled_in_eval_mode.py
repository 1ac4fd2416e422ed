# named: nothing
# dropout of 2014: nothing is divided in train mode, all is multiplied in eval mode
class EncoderBlock(nn.Module):
    def __init__(self, d_model=128, n_heads=8, d_ff=512, dropout=0.1):
        super().__init__()
        self.self_attn = nn.MultiheadAttention(d_model, n_heads, dropout, batch_first=True)
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.norm1 = nn.LayerNorm(d_model)
        self.norm2 = nn.LayerNorm(d_model)
        self.rate = dropout

    def forward(self, x, key_padding_mask=None):
        attended, _ = self.self_attn(x, x, x, key_padding_mask=key_padding_mask)
        x = self.norm1(
            x
            + (
                attended * (torch.rand_like(attended) >= self.rate)
                if self.training
                else attended * (1 - self.rate)
            )
        )
        fed = self.linear2(torch.relu(self.linear1(x)))
        return self.norm2(
            x
            + (
                fed * (torch.rand_like(fed) >= self.rate)
                if self.training
                else fed * (1 - self.rate)
            )
        )
