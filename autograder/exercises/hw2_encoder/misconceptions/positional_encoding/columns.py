"""What learners get wrong in positional_encoding: columns."""

from __future__ import annotations

from autograder.testing import Variant

from .angle import TABLE

MISCONCEPTIONS = (
    Variant(
        tag="positions-cut-off-to-integers",
        description="Writes sines and cosines into a table of integers, which cuts them off",
        message="Your table holds whole numbers: sines and cosines lie between -1 and 1, and only "
        "0, 1 and -1 are left of them. A table keeps the type that it was made with, whatever is "
        "written into it. Of which type is yours when you make it?",
        edits={
            "torch.zeros(seq_len, d_model)": "torch.zeros(seq_len, d_model, dtype=torch.int64)",
            "return table": "return table.float()",
        },
    ),
    Variant(
        tag="positions-last-row-empty",
        description="A loop over the positions stops one early: the last row stays 0",
        message="The last row of your table is all 0: nothing was written there. A range ends "
        "*before* its second number. How many rounds does your loop make, and how many rows are "
        "there?",
        edits={"return table": "table[-1] = 0\n    return table"},
    ),
    Variant(
        tag="positions-in-halves",
        description="All sines first, then all cosines",
        message="Your sines fill the left half of the table and your cosines the right. In the "
        "formula the two take turns: 2i and 2i+1 are neighbours, and each such pair shares an "
        "angle.",
        edits={"0::2": ": (d_model + 1) // 2", "1::2": "(d_model + 1) // 2 :"},
    ),
    Variant(
        tag="positions-in-halves-cosines-first",
        description="All cosines first, then all sines, and zeros in the last column of odd widths",
        message="Your cosines fill the left half of the table and your sines the right, as code "
        "for diffusion models has it. In the formula the two take turns, the sine first: 2i and "
        "2i+1 are neighbours, and each such pair shares an angle.",
        source="""\
def positional_encoding(seq_len, d_model):
    half = d_model // 2
    powers = torch.exp(-math.log(10000) * torch.arange(half) / max(half, 1))
    angles = torch.arange(seq_len)[:, None] * powers
    table = torch.cat([torch.cos(angles), torch.sin(angles)], dim=1)
    return F.pad(table, (0, d_model % 2))
""",
    ),
    Variant(
        tag="positions-sine-and-cosine-swapped",
        description="Cosine on even columns, sine on odd ones",
        message="Your cosines stand on the even columns and your sines on the odd ones. The row of "
        "position 0 shows it at a glance. Compare it with the sine and the cosine of 0.",
        edits={
            "table[:, 0::2] = torch.sin(": "table[:, 0::2] = torch.cos(",
            "table[:, 1::2] = torch.cos(": "table[:, 1::2] = torch.sin(",
        },
    ),
    Variant(
        tag="positions-cosines-onto-sines",
        description="Adds the cosines to the sines in the even columns; the odd ones stay empty",
        message="Your odd columns are all 0, and each even one holds a sine and a cosine added "
        "together. From a sum nobody can tell the two apart. Which columns belong to the cosines, "
        "and where do yours go?",
        edits={
            "table[:, 1::2] = torch.cos(angle(two_i))[:, : d_model // 2]": (
                "table[:, 0::2] += torch.cos(angle(two_i))"
            )
        },
    ),
    Variant(
        tag="positions-sines-alone",
        description="A sine in every column",
        message="Every column of yours is a sine. A sine alone is like a clock seen from the side: "
        "its hand passes every height twice in each turn. Another function tells left from right.",
        edits={"torch.cos(": "torch.sin("},
    ),
    Variant(
        tag="positions-chosen-by-position",
        description="Chooses sine or cosine by the parity of the position",
        message="Whole rows of yours are sines, and the next ones cosines, as if it mattered "
        "whether the *position* is even. In the formula, 2i and 2i+1 stand in the second place of "
        "PE(pos, …). That place counts columns.",
        edits={
            "    return table\n": """
    angles = angle(two_i).repeat_interleave(2, dim=1)[:, :d_model]
    return torch.where(position % 2 == 0, torch.sin(angles), torch.cos(angles))
"""
        },
    ),
    Variant(
        tag="positions-chosen-by-length",
        description="Chooses sine or cosine by the parity of the length",
        message="Your table is all sines or all cosines, depending on how long it is. It is the "
        "number of the *column* that should be even or odd. Which number do you ask about, and "
        "how often in one table?",
        edits={
            "    return table\n": """
    angles = angle(two_i).repeat_interleave(2, dim=1)[:, :d_model]
    return torch.sin(angles) if seq_len % 2 == 0 else torch.cos(angles)
"""
        },
    ),
    Variant(
        tag="positions-cosine-never-negative",
        description="Computes cosines as the root of 1 - sin², which is never negative",
        message="Your cosines are never negative. Their size is right, as of the root of 1 - sin²; "
        "but a root has lost the sign, and with it which half of the circle the hand is in. What "
        "else gives the cosine of an angle?",
        edits={"torch.cos(angle(two_i))": "torch.cos(angle(two_i)).abs()"},
    ),
    Variant(
        tag="positions-cosine-of-the-sine",
        description="Takes the cosine of columns that hold sines already",
        message="Your odd columns hold the cosine of a *sine*. A column can hold an angle or its "
        "sine, but not both: if the sines have been written over the angles, the angles are gone.",
        edits={"torch.cos(angle(two_i))": "torch.cos(torch.sin(angle(two_i)))"},
    ),
    Variant(
        tag="positions-sine-plus-cosine",
        description="Adds sine and cosine in every column",
        message="Every column of yours is a sine plus a cosine. The two should stand side by side, "
        "so that a pair of columns acts like the hand of a clock.",
        edits={
            "    return table\n": """
    angles = angle(two_i).repeat_interleave(2, dim=1)[:, :d_model]
    return torch.sin(angles) + torch.cos(angles)
"""
        },
    ),
    Variant(
        tag="positions-odd-columns-empty",
        description="Leaves the odd columns at 0",
        message="Your odd columns are all 0: only the sines have been filled in. A sine alone is "
        "like a clock seen from the side: its hand passes every height twice in each turn. The "
        "columns between have something to hold, too.",
        edits={"    table[:, 1::2] = torch.cos(angle(two_i))[:, : d_model // 2]\n": ""},
    ),
    Variant(
        tag="positions-chosen-by-pair",
        description="Chooses sine or cosine by the parity of i, the pair, not of the column",
        message="Your table has two sines side by side, then two cosines: both columns of a pair "
        "get the same function. In the formula i counts the pairs, and within each pair there is "
        "one of either. The parity of which number do you ask about?",
        edits={
            "    return table\n": """
    angles = angle(two_i).repeat_interleave(2, dim=1)[:, :d_model]
    return torch.where(torch.arange(d_model) // 2 % 2 == 0, torch.sin(angles), torch.cos(angles))
"""
        },
    ),
)

EXAMPLES = (TABLE,)
