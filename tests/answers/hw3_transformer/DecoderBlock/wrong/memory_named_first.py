# named: decoder-arguments-exchanged
# forward(memory, x): the two arguments are exchanged
class DecoderBlock(nn.Module):
    """A decoder block."""

    def __init__(self, d_model: int = 128, n_heads: int = 8, d_ff: int = 512, dropout: float = 0.1):
        super().__init__()
        make = lambda: nn.MultiheadAttention(d_model, n_heads, batch_first=True)
        self.self_attn, self.multihead_attn = make(), make()
        self.linear1, self.linear2 = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = (nn.LayerNorm(d_model) for _ in range(3))
        self.p = dropout

    def drop(self, y):
        return F.dropout(y, self.p, self.training)

    def forward(self, memory, x, memory_key_padding_mask=None):
        blocked = ~causal_mask(x.shape[1]).to(x.device)
        heard, _ = self.self_attn(query=x, key=x, value=x, attn_mask=blocked)
        x = self.norm1(x + self.drop(heard))
        read, _ = self.multihead_attn(
            query=x, key=memory, value=memory, key_padding_mask=memory_key_padding_mask
        )
        x = self.norm2(x + self.drop(read))
        hidden = torch.relu(self.linear1(x))
        return self.norm3(x + self.drop(self.linear2(hidden)))
