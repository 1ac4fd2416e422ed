import torch
from torch import nn


class TorchTextModel(nn.Module):
    """The text model of PyTorch's layers: tokens (batch, n) to scores of the next ones (batch, n, 512)."""

    def __init__(self, n_tokens=512, d_model=64, n_heads=4, d_ff=256, n_layers=2, dropout=0.0):
        super().__init__()
        self.embedding = nn.Embedding(n_tokens, d_model)
        nn.init.normal_(self.embedding.weight, std=d_model**-0.5)  # or it would drown the positions
        self.layers = nn.ModuleList(
            nn.TransformerEncoderLayer(d_model, n_heads, d_ff, dropout, batch_first=True)
            for _ in range(n_layers)
        )
        self.head = nn.Linear(d_model, n_tokens)

    def forward(self, tokens, hidden=None):
        """hidden: (n, n), True where a token is hidden from another; without one, what comes later is."""
        n = tokens.shape[1]
        hidden = torch.ones(n, n).triu(1).bool() if hidden is None else hidden
        x = self.at_places(tokens)
        for layer in self.layers:
            x = layer(x, src_mask=hidden)
        return self.head(x)

    def at_places(self, tokens, first=0):
        """Return the vectors of tokens (…, n), marked by their places from `first` on: (…, n, d_model)."""
        d_model = self.embedding.embedding_dim
        return self.embedding(tokens) * d_model**0.5 + sinusoids(first, tokens.shape[-1], d_model)


def sinusoids(first, n, d_model):
    """Return the vectors of `n` places from `first` on, (n, d_model) (Vaswani et al. 2017, §3.5)."""
    places = torch.arange(first, first + n)[:, None]
    angles = places / 10_000 ** (torch.arange(0, d_model, 2) / d_model)
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)


def text_weights():
    """Return the weights of the text model by PyTorch's names."""
    return {name: torch.tensor(value).float() for name, value in text_model.weights.items()}
