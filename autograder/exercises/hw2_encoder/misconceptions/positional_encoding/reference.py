"""A right answer, from which the wrong ones are made."""

from __future__ import annotations

REFERENCE = """\
def positional_encoding(seq_len, d_model):
    position = torch.arange(seq_len).unsqueeze(1)
    two_i = torch.arange(0, d_model, 2)

    def angle(column):
        return position / 10000 ** (column / d_model)

    table = torch.zeros(seq_len, d_model)
    table[:, 0::2] = torch.sin(angle(two_i))
    table[:, 1::2] = torch.cos(angle(two_i))[:, : d_model // 2]
    return table
"""

# Of angles in the millions float32 keeps few digits: a loop over Python's numbers has other ones.
STYLES = {
    "in-doubles": {
        "    def angle(column):": (
            "    position, two_i = position.double(), two_i.double()\n\n    def angle(column):"
        )
    }
}
PREFIX = "positions"  # of the tags
