"""A right answer, from which the wrong ones are made, and other right ways to write parts of it."""

from __future__ import annotations

# Each idea has a line of its own. A token that sees nothing gets zeros, as from an empty slice.
REFERENCE = """\
def sliding_window_attention(Q, K, V, window):
    batch, n, d = Q.shape
    reach = window
    i = torch.arange(n)[:, None]
    j = torch.arange(n)
    queries = Q
    keys = K
    values = V
    first = i - reach
    last = i + reach
    visible = (j >= first) & (j <= last)
    hidden = ~visible
    scores = queries @ keys.transpose(1, 2)
    scores = scores / math.sqrt(d)
    scores = scores.masked_fill(hidden, -math.inf)
    weights = torch.softmax(scores, dim=-1)
    output = weights @ values
    output = output.masked_fill(hidden.all(dim=-1, keepdim=True), 0)
    return output
"""

PREFIX = "sliding-window"  # of the tags
_NONE_VISIBLE = "    output = output.masked_fill(hidden.all(dim=-1, keepdim=True), 0)\n"
VISIBLE = "(j >= first) & (j <= last)"

_SHAPE = "batch, n, d = Q.shape\n"

STYLES = {
    "window-at-most-n": {_SHAPE: f"{_SHAPE}    window = min(window, n)\n"},
    "window-at-most-n-minus-1": {_SHAPE: f"{_SHAPE}    window = min(window, n - 1)\n"},
    "minus-infinity": {_NONE_VISIBLE: ""},
    "minus-a-billion": {"-math.inf": "-1e9", _NONE_VISIBLE: ""},
    "itself-at-least": {"~visible": "~(visible | (i == j))"},
    "first-at-least": {"~visible": "~(visible | (j == first.clamp(min=0)))"},
}
