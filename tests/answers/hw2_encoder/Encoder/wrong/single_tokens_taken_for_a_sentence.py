# named: relation-some-lengths
# two sentences of one token become one sentence of two
class Encoder(nn.Module):
    def __init__(
        self, vocab_size, d_model=128, n_heads=8, d_ff=512, n_layers=2, max_len=512, dropout=0.1
    ):
        super().__init__()
        self.d_model, self.max_len = d_model, max_len
        self.embedding = nn.Embedding(vocab_size, d_model)
        blocks = [EncoderBlock(d_model, n_heads, d_ff, dropout) for _ in range(n_layers)]
        self.layers = nn.ModuleList(blocks)
        self.dropout = nn.Dropout(dropout)

    def forward(self, tokens, key_padding_mask=None):
        tokens = tokens.squeeze()
        if tokens.dim() < 2:  # one sentence alone
            tokens = tokens.reshape(1, -1)
        batch, seq = tokens.shape
        if seq > self.max_len:
            raise ValueError("this sequence is too long")
        x = self.embedding(tokens) * math.sqrt(self.d_model)
        x = x + positional_encoding(seq, self.d_model)
        x = self.dropout(x)
        for layer in self.layers:
            x = layer(x, key_padding_mask)
        return x
