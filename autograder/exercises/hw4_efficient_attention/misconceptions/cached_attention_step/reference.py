"""A right answer, from which the wrong ones are made."""

from __future__ import annotations

REFERENCE = """\
def cached_attention_step(q, k, v, cache):
    if cache is None:
        keys, values = k, v
    else:
        keys = torch.cat([cache[0], k], dim=1)
        values = torch.cat([cache[1], v], dim=1)
    scores = q @ keys.transpose(1, 2)
    scores = scores / math.sqrt(q.shape[-1])
    weights = torch.softmax(scores, dim=-1)
    output = weights @ values
    return output, (keys, values)
"""

PREFIX = "cache"  # of the tags
NEW_CACHE = "return output, (keys, values)"
