class DecoderBlock(nn.TransformerDecoderLayer):
    def __init__(self, d_model=128, n_heads=8, d_ff=512, dropout=0.1):
        super().__init__(d_model, n_heads, dim_feedforward=d_ff, dropout=dropout, batch_first=True)

    def forward(self, x, memory, memory_key_padding_mask=None):
        blocked = nn.Transformer.generate_square_subsequent_mask(x.shape[1], device=x.device)
        return super().forward(
            x, memory, tgt_mask=blocked, memory_key_padding_mask=memory_key_padding_mask
        )
