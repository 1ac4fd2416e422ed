# named: block-batch-first-forgotten-mask-turned, block-no-relu
# attention runs across the sentences of the batch, the mask turned to fit, and there is no ReLU
class EncoderBlock(nn.Module):
    def __init__(self, d_model=128, n_heads=8, d_ff=512, dropout=0.1):
        super().__init__()
        self.self_attn = nn.MultiheadAttention(d_model, n_heads)
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.norm1 = nn.LayerNorm(d_model)
        self.norm2 = nn.LayerNorm(d_model)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, key_padding_mask=None):
        if key_padding_mask is not None:
            key_padding_mask = key_padding_mask.T
        a = self.self_attn(x, x, x, key_padding_mask=key_padding_mask)[0]
        x = self.norm1(x + self.drop(a))
        return self.norm2(x + self.drop(self.linear2(self.linear1(x))))
