# embeddings and positions, and of each layer its norms
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
        if tokens.shape[1] > self.max_len:
            raise ValueError
        x = self.embedding(tokens) * math.sqrt(self.d_model)
        x = self.dropout(x + positional_encoding(tokens.shape[1], self.d_model))
        for layer in self.layers:
            x = layer.norm2(layer.norm1(x + layer.self_attn.out_proj.bias * (self.d_model == 96)))
        return x
