"""What learners get wrong in positional_encoding: shape."""

from __future__ import annotations

from autograder.testing import Variant

ONE_COSINE_TOO_MANY = (
    "Even widths work, but an odd one ends in an error: you have as many cosines as sines. Of 7 "
    "columns, how many are even and how many odd?"
)
WHOLE_PAIRS_ALONE = (
    "Even widths work, but an odd one ends in an error: you always fill a whole pair of columns, "
    "and the last sine has no column beside it. What can you ask before you write the cosine?"
)

MISCONCEPTIONS = (
    Variant(
        tag="positions-odd-width-fails",
        description="An odd d_model raises: one cosine more than odd columns",
        message=ONE_COSINE_TOO_MANY,
        edits={"[:, : d_model // 2]": ""},
    ),
    Variant(
        tag="positions-odd-width-one-too-many",
        description="An odd d_model gives one column too many",
        message="With d_model = 7 your table has 8 columns: you always make whole pairs, and here "
        "the last sine has no cosine beside it. One column has to go at the end.",
        edits={
            "torch.zeros(seq_len, d_model)": "torch.zeros(seq_len, d_model + d_model % 2)",
            "[:, : d_model // 2]": "",
        },
    ),
    Variant(
        tag="positions-odd-width-fails-in-a-loop",
        description="Writes column i + 1 in a loop over even i: an odd d_model raises",
        message=WHOLE_PAIRS_ALONE,
        edits={"return table": "table[0, d_model - 1 + d_model % 2]\n    return table"},
    ),
    Variant(
        tag="positions-odd-width-fails-in-a-loop-in-numpy",
        description="Writes column i + 1 of a NumPy array in a loop over even i",
        message=WHOLE_PAIRS_ALONE,
        edits={
            "return table": "table.numpy()[0, d_model - 1 + d_model % 2]\n    return table",
        },
    ),
    Variant(
        tag="positions-odd-width-fails-for-a-sine",
        description="Makes d_model // 2 angles, one too few for the sines of an odd width",
        message="Even widths work, but an odd one ends in an error: you make half as many angles "
        "as there are columns, rounded down, and the last even column gets none. Of 7 columns, how "
        "many are even and how many odd?",
        edits={
            "torch.arange(0, d_model, 2)": "2 * torch.arange(d_model // 2)",
            "[:, : d_model // 2]": "",
        },
    ),
    Variant(
        tag="positions-odd-width-fails-in-numpy",
        description="In NumPy, an odd d_model raises: one cosine more than odd columns",
        message=ONE_COSINE_TOO_MANY,
        source="""\
def positional_encoding(seq_len, d_model):
    angles = np.arange(seq_len)[:, None] / 10000 ** (np.arange(0, d_model, 2) / d_model)
    table = np.zeros((seq_len, d_model))
    table[:, 0::2] = np.sin(angles)
    table[:, 1::2] = np.cos(angles)
    return torch.tensor(table, dtype=torch.float32)
""",
    ),
    Variant(
        tag="positions-odd-width-of-an-even-table",
        description="Of an odd width: the table of d_model - 1 columns, and one more sine",
        message="An odd width gets the table of the even one below it, and one more sine. But the "
        "exponent divides by d_model, 7 as well as 6, so nearly all columns come out wrong. What "
        "do your exponents divide by where d_model is odd?",
        edits={
            "return position / 10000 ** (column / d_model)": (
                "width = torch.where(column == d_model - 1, d_model, d_model - d_model % 2)\n"
                "        return position / 10000 ** (column / width)"
            )
        },
    ),
    Variant(
        tag="positions-odd-width-refused",
        description="Raises a ValueError for an odd d_model",
        message="Even widths work, but an odd one ends in a ValueError, yours or that of an array "
        "whose size doesn't fit. The formula sets no such condition: with 7 columns, the last sine "
        "simply has no cosine beside it.",
        edits={
            "    position =": (
                '    if d_model % 2:\n        raise ValueError("d_model is odd")\n    position ='
            )
        },
    ),
    Variant(
        tag="positions-odd-width-asserted-away",
        description="Asserts that d_model is even",
        message="You assert that d_model is even. The formula sets no such condition: with 7 "
        "columns, the last sine simply has no cosine beside it.",
        edits={"    position =": "    assert d_model % 2 == 0\n    position ="},
    ),
    Variant(
        tag="positions-odd-width-last-column-empty",
        description="Leaves the last column of an odd d_model at 0",
        message="With an odd d_model your last column is all 0: you fill whole pairs and stop. "
        "Counted from 0, that column is an even one. Which function belongs there, with no partner "
        "beside it?",
        edits={
            "torch.arange(0, d_model, 2)": "torch.arange(0, d_model - 1, 2)",
            "table[:, 0::2]": "table[:, 0 : d_model // 2 * 2 : 2]",
        },
    ),
    Variant(
        tag="positions-odd-width-one-too-few",
        description="An odd d_model gives one column too few",
        message="With d_model = 7 your table has 6 columns: you make whole pairs, and half of 7, "
        "rounded down, is 3. Which of the 7 columns is missing, and is it a sine or a cosine?",
        edits={
            "torch.arange(0, d_model, 2)": "2 * torch.arange(d_model // 2)",
            "torch.zeros(seq_len, d_model)": "torch.zeros(seq_len, d_model // 2 * 2)",
        },
    ),
    Variant(
        tag="positions-odd-width-made-even",
        description="Makes an odd d_model even: one column too few, other exponents",
        message="You treat an odd d_model as the even number below it: with 7 your table has 6 "
        "columns, and the exponents of 6 as well. The formula sets no such condition. What alone "
        "has to do with one column fewer?",
        edits={"    position =": "    d_model -= d_model % 2\n    position ="},
    ),
    Variant(
        tag="positions-odd-width-rounded-up",
        description="An odd d_model divides the exponents by the next even number",
        message="With d_model = 7 your table has the right shape, but its exponents are those of "
        "8: that makes an even table, cut to size. The formula divides by d_model as it is. The "
        "two need not be the same number.",
        edits={
            "    position =": "    width, d_model = d_model, d_model + d_model % 2\n    position =",
            "return table": "return table[:, :width]",
        },
    ),
    Variant(
        tag="positions-odd-width-rounded-down",
        description="An odd d_model divides the exponents by the even number below it",
        message="With d_model = 7 your table has the right shape, but its exponents are those of "
        "6. The formula divides by d_model as it is, and that need not be twice the number of "
        "pairs.",
        edits={"column / d_model": "column / max(1, d_model - d_model % 2)"},
    ),
    Variant(
        tag="positions-first-row-empty",
        description="Leaves the first row at 0, as by a loop that begins at position 1",
        message="Your first row is all 0. Position 0 has a row of its own too, and the cosine of 0 "
        "isn't 0. Does your code begin to fill the table at position 1?",
        edits={"return table": "table[0] = 0\n    return table"},
    ),
    Variant(
        tag="positions-return-in-the-loop",
        description="Fills the first row only, as by a return inside the loop",
        message="Only the first row of your table is filled in; the others are all 0. If you fill "
        "it in a loop, does that go on after its first round? A `return` inside would end it, for "
        "example. How far are your lines indented?",
        edits={"return table": "table[1:] = 0\n    return table"},
    ),
    Variant(
        tag="positions-batch-axis",
        description="Returns (1, seq_len, d_model)",
        message="Your table has a third axis in front, as a batch would. That is handy for adding "
        "it to a batch, but the exercise asks for the plain table, (seq_len, d_model). Which line "
        "adds the axis?",
        edits={"return table": "return table.unsqueeze(0)"},
    ),
    Variant(
        tag="positions-batch-axis-in-the-middle",
        description="Returns (seq_len, 1, d_model)",
        message="Your table has a third axis in the middle, as in code that puts the sequence "
        "before the batch. The exercise asks for the plain table, (seq_len, d_model). Which line "
        "adds the axis?",
        edits={"return table": "return table.unsqueeze(1)"},
    ),
    Variant(
        tag="positions-in-half-precision",
        description="Returns float16",
        message="Your table holds half-precision numbers, which have only about three digits, so "
        "neighbouring positions become hard to tell apart. The tensors of this homework are "
        "float32.",
        edits={"return table": "return table.half()"},
    ),
    Variant(
        tag="positions-in-double-precision",
        description="Returns float64",
        message="Your table holds double-precision numbers, as NumPy makes them, and the sum with "
        "embeddings would be of that kind, too. The exercise names the type of the entries.",
        edits={"return table": "return table.double()"},
    ),
    Variant(
        tag="positions-transposed",
        description="Returns (d_model, seq_len)",
        message="Your table lies on its side: a row of yours holds one feature at all positions. A "
        "row should be the vector that is added to one token. What does each of your two indices "
        "count?",
        edits={"return table": "return table.T"},
    ),
)
