class EncoderBlock(nn.TransformerEncoderLayer):
    def __init__(self, d_model=128, n_heads=8, d_ff=512, dropout=0.1):
        super().__init__(
            d_model, n_heads, d_ff, dropout, activation=F.relu, batch_first=True, norm_first=False
        )

    def forward(self, x, key_padding_mask=None):
        x = self.norm1(x + self._sa_block(x, None, key_padding_mask))
        return self.norm2(x + self._ff_block(x))
