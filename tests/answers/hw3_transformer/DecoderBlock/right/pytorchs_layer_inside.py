# right: inherits torch's decoder layer, which has just these attributes, and hands it both masks
class DecoderBlock(nn.TransformerDecoderLayer):
    def __init__(self, d_model=128, n_heads=8, d_ff=512, dropout=0.1):
        super().__init__(d_model, n_heads, d_ff, dropout, activation=F.relu, batch_first=True)

    def forward(self, x, memory, memory_key_padding_mask=None):
        t = x.shape[1]
        return super().forward(
            x, memory, tgt_mask=~causal_mask(t), memory_key_padding_mask=memory_key_padding_mask
        )
