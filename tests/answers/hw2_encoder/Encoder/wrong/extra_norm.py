# named: encoder-norm-at-the-end, encoder-trains-too-much
# a final norm, as GPT has it, and torch.sqrt of a tensor
class Encoder(nn.Module):
    def __init__(
        self, vocab_size, d_model=128, n_heads=8, d_ff=512, n_layers=2, max_len=512, dropout=0.1
    ):
        super().__init__()
        self.d_model = d_model
        self.max_len = max_len
        self.embedding = nn.Embedding(vocab_size, d_model)
        self.layers = nn.ModuleList(
            [EncoderBlock(d_model, n_heads, d_ff, dropout) for _ in range(n_layers)]
        )
        self.drop = nn.Dropout(dropout)
        self.norm = nn.LayerNorm(d_model)

    def forward(self, tokens, key_padding_mask=None):
        n = tokens.shape[1]
        if n > self.max_len:
            raise ValueError(n)
        scale = torch.sqrt(torch.tensor(self.d_model, dtype=torch.float32))
        x = self.drop(self.embedding(tokens) * scale + positional_encoding(n, self.d_model))
        for b in self.layers:
            x = b(x, key_padding_mask)
        return self.norm(x)
