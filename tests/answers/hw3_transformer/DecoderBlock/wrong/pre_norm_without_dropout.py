# named: decoder-pre-norm, decoder-no-dropout
# pre-norm, and no dropout on the sublayers
class DecoderBlock(nn.Module):
    def __init__(self, d_model=128, n_heads=8, d_ff=512, dropout=0.1):
        super().__init__()
        self.self_attn = nn.MultiheadAttention(d_model, n_heads, batch_first=True)
        self.multihead_attn = nn.MultiheadAttention(d_model, n_heads, batch_first=True)
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.norm1 = nn.LayerNorm(d_model)
        self.norm2 = nn.LayerNorm(d_model)
        self.norm3 = nn.LayerNorm(d_model)

    def forward(self, x, memory, memory_key_padding_mask=None):
        n = self.norm1(x)
        x = x + self.self_attn(n, n, n, attn_mask=~causal_mask(x.shape[1]))[0]
        n = self.norm2(x)
        x = x + self.multihead_attn(n, memory, memory, key_padding_mask=memory_key_padding_mask)[0]
        n = self.norm3(x)
        return x + self.linear2(F.relu(self.linear1(n)))
