# as large models are built today: RMS norms first, queries and keys normalised, turned by their place
class Looks(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n_heads = n_heads
        self.q, self.k, self.v, self.o = (nn.Linear(d_model, d_model, bias=False) for _ in range(4))
        self.q_norm, self.k_norm = nn.RMSNorm(d_model // n_heads), nn.RMSNorm(d_model // n_heads)

    def heads(self, x):
        return x.unflatten(-1, (self.n_heads, -1)).transpose(1, 2)

    def turned(self, x):
        half = x.shape[-1] // 2
        rates = 100.0 ** (-torch.arange(half) / max(1, half))
        angles = torch.arange(x.shape[-2]).unsqueeze(1) * rates
        first, second, rest = x[..., :half], x[..., half : 2 * half], x[..., 2 * half :]
        cos, sin = angles.cos(), angles.sin()
        return torch.cat([first * cos - second * sin, first * sin + second * cos, rest], dim=-1)

    def forward(self, x, given, is_causal=False):
        q = self.turned(self.q_norm(self.heads(self.q(x))))
        k = self.turned(self.k_norm(self.heads(self.k(given))))
        out = F.scaled_dot_product_attention(q, k, self.heads(self.v(given)), is_causal=is_causal)
        return self.o(out.transpose(1, 2).flatten(-2))


class Gated(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.up, self.gate = nn.Linear(d_model, d_ff), nn.Linear(d_model, d_ff)
        self.down = nn.Linear(d_ff, d_model)

    def forward(self, x):
        return self.down(F.silu(self.gate(x)) * self.up(x))


class Layer(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, dropout, is_decoder):
        super().__init__()
        self.is_decoder = is_decoder
        self.looks = Looks(d_model, n_heads)
        self.cross = Looks(d_model, n_heads) if is_decoder else None
        self.gated = Gated(d_model, d_ff)
        self.norms = nn.ModuleList(nn.RMSNorm(d_model) for _ in range(3 if is_decoder else 2))
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, memory=None):
        y = self.norms[0](x)
        x = x + self.dropout(self.looks(y, y, self.is_decoder))
        if self.is_decoder:
            x = x + self.dropout(self.cross(self.norms[1](x), memory))
        return x + self.dropout(self.gated(self.norms[-1](x)))


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
        self.words_read = nn.Embedding(src_vocab, d_model)
        self.words_written = nn.Embedding(tgt_vocab, d_model)
        sizes = d_model, n_heads, d_ff, dropout
        self.encoder = nn.ModuleList(Layer(*sizes, False) for _ in range(n_layers))
        self.decoder = nn.ModuleList(Layer(*sizes, True) for _ in range(n_layers))
        self.norm_read, self.norm_written = nn.RMSNorm(d_model), nn.RMSNorm(d_model)
        self.logits = nn.Linear(d_model, tgt_vocab, bias=False)

    def forward(self, src, tgt):
        memory, x = self.words_read(src), self.words_written(tgt)
        for layer in self.encoder:
            memory = layer(memory)
        memory = self.norm_read(memory)
        for layer in self.decoder:
            x = layer(x, memory)
        return self.logits(self.norm_written(x))
