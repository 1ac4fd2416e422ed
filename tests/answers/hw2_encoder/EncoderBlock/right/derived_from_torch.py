# derived from TransformerEncoderLayer
class EncoderBlock(nn.TransformerEncoderLayer):
    def __init__(self, d_model: int = 128, n_heads: int = 8, d_ff: int = 512, dropout: float = 0.1):
        super().__init__(d_model, n_heads, dim_feedforward=d_ff, dropout=dropout, batch_first=True)

    def forward(self, x, key_padding_mask=None):
        return super().forward(x, src_key_padding_mask=key_padding_mask)
