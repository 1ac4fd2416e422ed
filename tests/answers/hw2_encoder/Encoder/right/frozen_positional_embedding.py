# positions in a frozen nn.Embedding, reduce over the layers
from functools import reduce


class Encoder(nn.Module):
    def __init__(
        self, vocab_size, d_model=128, n_heads=8, d_ff=512, n_layers=2, max_len=512, dropout=0.1
    ):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model)
        self.positions = nn.Embedding.from_pretrained(positional_encoding(max_len, d_model))
        self.layers = nn.ModuleList()
        while len(self.layers) < n_layers:
            self.layers.append(EncoderBlock(d_model, n_heads, d_ff, dropout))
        self.dropout = nn.Dropout(dropout)
        self.scale = np.sqrt(d_model)

    def forward(self, tokens, key_padding_mask=None):
        if tokens.shape[-1] > self.positions.num_embeddings:
            raise ValueError("more tokens than positions")
        places = self.positions(torch.arange(tokens.shape[-1]))
        start = self.dropout(torch.add(places, self.embedding(tokens), alpha=self.scale))
        return reduce(lambda x, layer: layer(x, key_padding_mask), self.layers, start)
