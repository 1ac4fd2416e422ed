# the table is made in each call, the sum by addcmul, layers through a dictionary's values into a
# ModuleList
class Encoder(nn.Module):
    def __init__(
        self,
        vocab_size: int,
        d_model=128,
        n_heads=8,
        d_ff=512,
        n_layers=2,
        max_len=512,
        dropout=0.1,
    ):
        super().__init__()
        self.max_len = max_len
        self.embedding = nn.Embedding(vocab_size, d_model)
        blocks = {n: EncoderBlock(d_model, n_heads, d_ff, dropout) for n in range(n_layers)}
        self.layers = nn.ModuleList(blocks.values())
        self.dropout = nn.Dropout(dropout)

    def forward(self, tokens, key_padding_mask=None):
        if tokens.shape[1] not in range(self.max_len + 1):
            raise ValueError("longer than max_len")
        vectors = self.embedding(tokens)
        table = positional_encoding(*vectors.shape[1:])
        root = torch.full((), vectors.shape[-1]).sqrt()
        hidden = self.dropout(torch.addcmul(table.expand_as(vectors), vectors, root))
        for layer in self.layers:
            hidden = layer.forward(hidden, key_padding_mask)
        return hidden
