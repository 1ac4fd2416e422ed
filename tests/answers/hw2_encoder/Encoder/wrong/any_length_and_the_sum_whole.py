# named: encoder-no-dropout, encoder-length-not-checked
# no ValueError, and no dropout on the sum
class Encoder(nn.Module):
    def __init__(
        self, vocab_size, d_model=128, n_heads=8, d_ff=512, n_layers=2, max_len=512, dropout=0.1
    ):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model)
        self.layers = nn.ModuleList(
            EncoderBlock(d_model, n_heads, d_ff, dropout) for _ in range(n_layers)
        )
        self.d_model = d_model

    def forward(self, tokens, key_padding_mask=None):
        out = (
            self.embedding(tokens)
            .mul(self.d_model**0.5)
            .add(positional_encoding(tokens.size(1), self.d_model))
        )
        for i in range(len(self.layers)):
            out = self.layers[i](out, key_padding_mask=key_padding_mask)
        return out
