# named: decoder-padding-inverted-without-weights
class DecoderBlock(nn.TransformerDecoderLayer):
    def __init__(self, d_model=128, n_heads=8, d_ff=512, dropout=0.1):
        super().__init__(d_model, n_heads, d_ff, dropout, batch_first=True)

    def forward(self, x, memory, memory_key_padding_mask=None):
        m = memory_key_padding_mask
        m = m if m is None else torch.where(m, 0.0, -torch.inf)
        return super().forward(
            x,
            memory,
            tgt_mask=nn.Transformer.generate_square_subsequent_mask(x.size(1)),
            memory_key_padding_mask=m,
        )
