class EncoderBlock(nn.TransformerEncoderLayer):
    def __init__(self, d_model=128, n_heads=8, d_ff=512, dropout=0.1):
        super().__init__(d_model, n_heads, d_ff, dropout, activation="relu", batch_first=True)

    def forward(self, x, key_padding_mask=None):
        return super().forward(x, src_key_padding_mask=key_padding_mask)
