# named: decoder-mask-for-the-memory-without-weights
class DecoderBlock(nn.TransformerDecoderLayer):
    def __init__(self, d_model=128, n_heads=8, d_ff=512, dropout=0.1):
        super().__init__(d_model, n_heads, d_ff, dropout, batch_first=True)

    def forward(self, x, memory, memory_key_padding_mask=None):
        t, s = x.size(1), memory.size(1)
        future = torch.ones(t, s).triu(1).bool()
        return super().forward(
            x,
            memory,
            tgt_mask=~causal_mask(t),
            memory_mask=future,
            memory_key_padding_mask=memory_key_padding_mask,
        )
