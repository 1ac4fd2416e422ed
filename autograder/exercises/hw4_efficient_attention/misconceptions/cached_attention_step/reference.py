"""A right answer, from which the wrong ones are made."""

from __future__ import annotations

# Each idea has a line of its own: what is kept, what is attended to, and what is handed over.
REFERENCE = """\
def cached_attention_step(q, k, v, cache):
    query = q
    if cache is None:
        keys, values = k, v
    else:
        keys = torch.cat([cache[0], k], dim=1)
        values = torch.cat([cache[1], v], dim=1)
    attended, heard = keys, values
    scores = query @ attended.transpose(1, 2)
    scores = scores / math.sqrt(q.shape[-1])
    weights = torch.softmax(scores, dim=-1)
    output = weights @ heard
    return output, (keys, values)
"""

PREFIX = "cache"  # of the tags
NEW_CACHE = "return output, (keys, values)"
ATTENDED = "attended, heard = keys, values"
