# a module of its own for the way in, with the embedding as an alias
class InputLayer(nn.Module):
    def __init__(self, vocab_size, d_model, max_len, dropout):
        super().__init__()
        self.table = nn.Parameter(positional_encoding(max_len, d_model), requires_grad=False)
        self.words = nn.Embedding(vocab_size, d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, tokens):
        length = tokens.size(1)
        if length > len(self.table):
            raise ValueError("this sequence is too long")
        return self.dropout(
            self.words(tokens).mul(self.words.embedding_dim**0.5) + self.table[:length]
        )


class Encoder(nn.Module):
    def __init__(
        self, vocab_size, d_model=128, n_heads=8, d_ff=512, n_layers=2, max_len=512, dropout=0.1
    ):
        super().__init__()
        self.input = InputLayer(vocab_size, d_model, max_len, dropout)
        self.embedding = self.input.words
        self.layers = nn.ModuleList(
            EncoderBlock(d_model, n_heads, d_ff, dropout) for _ in range(n_layers)
        )

    def forward(self, tokens, key_padding_mask=None):
        x = self.input(tokens)
        for layer in self.layers.children():
            x = layer.forward(x, key_padding_mask)
        return x
