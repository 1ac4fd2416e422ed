"""What learners get wrong in positional_encoding."""

from __future__ import annotations

from autograder.misconceptions import Variant

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

WRONG_COLUMNS = (
    Variant(
        tag="positions-in-halves",
        description="All sines first, then all cosines",
        message="Your sines fill the left half of the table and your cosines the right one. In the "
        "formula the two take turns: 2i and 2i+1 are neighbours, and each pair of them shares an "
        "angle. Which columns are even?",
        edits={"0::2": ": (d_model + 1) // 2", "1::2": "(d_model + 1) // 2 :"},
    ),
    Variant(
        tag="positions-sine-and-cosine-swapped",
        description="Cosine on even columns, sine on odd ones",
        message="Your cosines stand on the even columns and your sines on the odd ones. The row of "
        "position 0 shows it at a glance: what are sine and cosine of 0, and which does the "
        "formula put first?",
        edits={
            "table[:, 0::2] = torch.sin(": "table[:, 0::2] = torch.cos(",
            "table[:, 1::2] = torch.cos(": "table[:, 1::2] = torch.sin(",
        },
    ),
    Variant(
        tag="positions-sines-alone",
        description="A sine in every column",
        message="Every column of yours is a sine. A sine alone is like a clock seen from the side: "
        "its hand passes every height twice in a round. Which function tells left from right, and "
        "on which columns?",
        edits={"torch.cos(": "torch.sin("},
    ),
    Variant(
        tag="positions-chosen-by-position",
        description="Chooses sine or cosine by the parity of the position",
        message="Whole rows of yours are sines, and the next ones cosines: you ask whether the "
        "*position* is even. In the formula, 2i and 2i+1 stand in the second place of PE(pos, …). "
        "What does that one count?",
        source=REFERENCE.replace("    return table\n", "")
        + """
    angles = angle(two_i).repeat_interleave(2, dim=1)[:, :d_model]
    return torch.where(position % 2 == 0, torch.sin(angles), torch.cos(angles))
""",
    ),
    Variant(
        tag="positions-chosen-by-length",
        description="Chooses sine or cosine by the parity of the length",
        message="Your table is all sines or all cosines, depending on how long it is. It is the "
        "number of the *column* that should be even or odd. Which variable does your `if` test, "
        "and how often in one table?",
        source=REFERENCE.replace("    return table\n", "")
        + """
    angles = angle(two_i).repeat_interleave(2, dim=1)[:, :d_model]
    return torch.sin(angles) if seq_len % 2 == 0 else torch.cos(angles)
""",
    ),
)

WRONG_ANGLE = (
    Variant(
        tag="positions-exponent-doubled",
        description="Exponent 2·(2i)/d_model: the index steps by 2 already",
        message="Your waves slow down twice as fast as they should, so the last columns hardly "
        "move. A range that steps by 2 already goes 0, 2, 4, …: is its variable the i of the "
        "formula, or its 2i?",
        edits={"column / d_model": "2 * column / d_model"},
    ),
    Variant(
        tag="positions-exponent-halved",
        description="Exponent i/d_model: i where 2i should be",
        message="Your waves slow down half as fast as they should, so even the last columns are "
        "busy. Your pairs are numbered 0, 1, 2, …, which is the i of the formula. What stands in "
        "front of it in the exponent?",
        edits={"column / d_model": "column / 2 / d_model"},
    ),
    Variant(
        tag="positions-exponent-over-d-model-less-two",
        description="Divides the exponent by d_model - 2 (the number of pairs less one)",
        message="Your exponents run all the way up to 1; some well-known code does that. In the "
        "paper's formula the last pair stops just short of it. What does the exponent divide 2i "
        "by?",
        edits={"column / d_model": "column / (d_model - 2)"},
    ),
    Variant(
        tag="positions-cosine-has-its-own-angle",
        description="The cosine's exponent counts its own column, 2i+1",
        message="Your cosines are slower than the sines beside them: their exponent counts their "
        "own column. In the formula the second line differs from the first in two places. Is the "
        "exponent one of them?",
        edits={"torch.cos(angle(two_i))": "torch.cos(angle(two_i + 1))"},
    ),
    Variant(
        tag="positions-one-angle-for-all",
        description="Every pair of columns has the same angle: the exponent lacks i",
        message="All your pairs of columns turn at the same speed, as if a clock had hands for "
        "hours only. Further to the right the waves should get slower. Which letter of the "
        "exponent has no part in yours?",
        source=REFERENCE.replace("column / d_model", "column * 0 + 1 / d_model"),
    ),
    Variant(
        tag="positions-no-power",
        description="Sine and cosine of the position itself in every column",
        message="Every pair of your columns is the sine and the cosine of the position itself, so "
        "they all say the same. That is right for the first pair alone. By what does the formula "
        "divide the position further right?",
        source=REFERENCE.replace("10000 ** (column / d_model)", "column**0"),
    ),
    Variant(
        tag="positions-from-one",
        description="Counts positions from 1",
        message="Your first row is that of position 1. Positions count from 0, so whatever the "
        "width, the first row consists of zeros and ones. Where does your range begin?",
        edits={"torch.arange(seq_len)": "torch.arange(1, seq_len + 1)"},
    ),
    Variant(
        tag="positions-base-1000",
        description="Base 1000 instead of 10000",
        message="Your exponents are fine, but every wave after the first is too quick: the base of "
        "your power is too small. Count the zeros, in the formula and in your code.",
        edits={"10000 **": "1000 **"},
    ),
    Variant(
        tag="positions-multiplied",
        description="Multiplies the position by the power instead of dividing",
        message="Your waves get wilder from left to right, until neighbouring positions have "
        "nothing in common. They should get slower and slower. In the formula, on which side of "
        "the fraction line is the power?",
        edits={"position / 10000": "position * 10000"},
    ),
)

WRONG_SHAPE = (
    Variant(
        tag="positions-odd-width-fails",
        description="An odd d_model raises: one cosine more than odd columns",
        message="Even widths work, but an odd one ends in an error: you have as many cosines as "
        "sines. Of 7 columns, how many are even and how many odd?",
        edits={"[:, : d_model // 2]": ""},
    ),
    Variant(
        tag="positions-odd-width-one-too-many",
        description="An odd d_model gives one column too many",
        message="With d_model = 7 your table has 8 columns, since you always make whole pairs. The "
        "last sine has no cosine beside it then. What is left to do with the table at the end?",
        source=REFERENCE.replace(
            "torch.zeros(seq_len, d_model)", "torch.zeros(seq_len, d_model + d_model % 2)"
        ).replace("[:, : d_model // 2]", ""),
    ),
    Variant(
        tag="positions-batch-axis",
        description="Returns (1, seq_len, d_model)",
        message="Your table has a third axis in front, as a batch would. That is handy for adding "
        "it to a batch, but the exercise asks for the plain table of (seq_len, d_model). Which "
        "line adds the axis?",
        edits={"return table": "return table.unsqueeze(0)"},
    ),
    Variant(
        tag="positions-transposed",
        description="Returns (d_model, seq_len)",
        message="Your table lies on its side: a row of yours holds one feature at all positions. A "
        "row should be the vector that is added to one token. What does each of your two indices "
        "count?",
        source=REFERENCE.replace("return table", "return table.T"),
    ),
    Variant(
        tag="positions-in-numpy",
        description="Returns a NumPy array instead of a tensor",
        message="The numbers are there, but in a NumPy array. To be added to embeddings, the table "
        "has to be a tensor of float32. Which function of torch takes over an array?",
        source=REFERENCE.replace("return table", "return table.numpy()"),
    ),
    Variant(
        tag="positions-nothing-returned",
        description="Computes the table, but returns nothing",
        message="Your function returns None, though it makes a table. A function hands back what "
        "follows `return`: is yours there, and behind the loop, not inside?",
        source=REFERENCE.replace("return table", "table"),
    ),
)

MISCONCEPTIONS = (*WRONG_COLUMNS, *WRONG_ANGLE, *WRONG_SHAPE)
