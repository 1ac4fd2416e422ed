# no positions in the words: what is farther away costs a little of its score, on either side (ALiBi)
class Looks(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n_heads = n_heads
        self.qkv = nn.ModuleList(nn.Linear(d_model, d_model) for _ in range(3))
        self.out = nn.Linear(d_model, d_model)
        self.register_buffer("slopes", 2.0 ** -torch.arange(1.0, n_heads + 1).view(-1, 1, 1))

    def forward(self, x, given, is_causal=False):
        q, k, v = (
            layer(each).unflatten(-1, (self.n_heads, -1)).transpose(1, 2)
            for layer, each in zip(self.qkv, (x, given, given))
        )
        distance = torch.arange(x.shape[1]).unsqueeze(1) - torch.arange(given.shape[1])
        cost = self.slopes * (distance.abs() + 0.5 * (distance > 0))
        scores = q @ k.mT / math.sqrt(q.shape[-1]) - cost
        if is_causal:
            scores = scores.masked_fill(distance < 0, -torch.inf)
        return self.out((scores.softmax(-1) @ v).transpose(1, 2).flatten(-2))


class Layer(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, dropout, is_decoder):
        super().__init__()
        self.is_decoder = is_decoder
        self.looks = nn.ModuleList(Looks(d_model, n_heads) for _ in range(1 + is_decoder))
        self.norms = nn.ModuleList(nn.LayerNorm(d_model) for _ in range(2 + is_decoder))
        self.network = nn.Sequential(nn.Linear(d_model, d_ff), nn.GELU(), nn.Linear(d_ff, d_model))
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, memory=None):
        x = self.norms[0](x + self.dropout(self.looks[0](x, x, self.is_decoder)))
        if self.is_decoder:
            x = self.norms[1](x + self.dropout(self.looks[1](x, memory)))
        return self.norms[-1](x + self.dropout(self.network(x)))


class Transformer(nn.Module):
    def __init__(
        self,
        src_vocab,
        tgt_vocab,
        d_model=64,
        n_heads=4,
        d_ff=128,
        n_layers=2,
        max_len=64,
        dropout=0.0,
    ):
        super().__init__()
        self.source = nn.Embedding(src_vocab, d_model)
        self.target = nn.Embedding(tgt_vocab, d_model)
        sizes = d_model, n_heads, d_ff, dropout
        self.encoder = nn.ModuleList(Layer(*sizes, False) for _ in range(n_layers))
        self.decoder = nn.ModuleList(Layer(*sizes, True) for _ in range(n_layers))
        self.logits = nn.Linear(d_model, tgt_vocab)

    def forward(self, src, tgt):
        memory, x = self.source(src), self.target(tgt)
        for layer in self.encoder:
            memory = layer(memory)
        for layer in self.decoder:
            x = layer(x, memory)
        return self.logits(x)
