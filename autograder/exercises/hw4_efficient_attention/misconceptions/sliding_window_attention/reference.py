"""A right answer, from which the wrong ones are made."""

from __future__ import annotations

REFERENCE = """\
def sliding_window_attention(Q, K, V, window):
    batch, n, d = Q.shape
    output = torch.zeros(batch, n, d)
    for i in range(n):
        start, stop = max(0, i - window), min(n, i + window + 1)
        scores = torch.einsum("bd,bkd->bk", Q[:, i], K[:, start:stop])
        scores = scores / math.sqrt(d)
        weights = torch.softmax(scores, dim=-1)
        output[:, i] = torch.einsum("bk,bkd->bd", weights, V[:, start:stop])
    return output
"""

PREFIX = "sliding-window"  # of the tags

# All scores at once and a mask, as many begin: what is wrong with the mask is an edit of this.
BY_MASK = """\
def sliding_window_attention(Q, K, V, window):
    n, d = Q.shape[1:]
    position = torch.arange(n)
    mask = (position[:, None] - position).abs() <= window
    scores = Q @ K.transpose(1, 2) / math.sqrt(d)
    scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ V
"""

# Neighbours as slices of padded keys, side by side.
BY_SHIFTS = """\
def sliding_window_attention(Q, K, V, window):
    n, d = Q.shape[1:]
    shifts = range(2 * window + 1)
    keys, values = (F.pad(x, (0, 0, window, window)) for x in (K, V))
    scores = torch.stack([(Q * keys[:, s : s + n]).sum(-1) for s in shifts], dim=-1)
    weights = torch.softmax(scores / math.sqrt(d), dim=-1)
    return sum(weights[..., s, None] * values[:, s : s + n] for s in shifts)
"""
