class DecoderBlock(nn.TransformerDecoderLayer):
    def __init__(self, d_model=128, n_heads=8, d_ff=512, dropout=0.1):
        super().__init__(d_model, n_heads, d_ff, dropout, batch_first=True)

    def forward(self, x, memory, memory_key_padding_mask=None):
        later = nn.Transformer.generate_square_subsequent_mask(x.shape[1])
        pad = memory_key_padding_mask
        if pad is not None:
            pad = torch.zeros(pad.shape).masked_fill(pad, -torch.inf)
        return super().forward(x, memory, tgt_mask=later, memory_key_padding_mask=pad)
