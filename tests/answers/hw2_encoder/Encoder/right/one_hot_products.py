# embedding as a one-hot product, an error of its own that is a ValueError
class TooLong(ValueError):
    pass


class Encoder(nn.Module):
    def __init__(
        self, vocab_size, d_model=128, n_heads=8, d_ff=512, n_layers=2, max_len=512, dropout=0.1
    ):
        super().__init__()
        self.settings = dict(vocab_size=vocab_size, d_model=d_model, max_len=max_len)
        self.embedding = nn.Embedding(vocab_size, d_model)
        blocks = {
            f"block{i}": EncoderBlock(d_model, n_heads, d_ff, dropout) for i in range(n_layers)
        }
        self.layers = nn.ModuleList(blocks.values())
        self.dropout = nn.Dropout(dropout)

    def forward(self, tokens, key_padding_mask=None):
        n, d = tokens.shape[1], self.settings["d_model"]
        if n > self.settings["max_len"]:
            raise TooLong(f"{n} tokens")
        one_hot = F.one_hot(tokens, self.settings["vocab_size"]).float()
        x = one_hot @ (self.embedding.weight * d**0.5)
        x = self.dropout(x + positional_encoding(self.settings["max_len"], d)[:n].expand_as(x))
        for layer in self.layers:
            x = layer(x, key_padding_mask=key_padding_mask)
        return x
