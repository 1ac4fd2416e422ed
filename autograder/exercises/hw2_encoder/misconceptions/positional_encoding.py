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
    Variant(
        tag="positions-cosine-of-the-sine",
        description="Takes the cosine of columns that hold sines already",
        message="Your odd columns hold the cosine of a *sine*: you overwrite the angles of the "
        "even columns first and then read them once more. A column can be an angle or a sine, but "
        "not both. From what should the cosine be taken?",
        source=REFERENCE.replace("torch.cos(angle(two_i))", "torch.cos(torch.sin(angle(two_i)))"),
    ),
    Variant(
        tag="positions-sine-plus-cosine",
        description="Adds sine and cosine in every column",
        message="Every column of yours is a sine plus a cosine. The two should stand side by "
        "side, so that a pair of columns is the hand of a clock. Which of the two belongs to an "
        "even column?",
        source=REFERENCE.replace("    return table\n", "")
        + """
    angles = angle(two_i).repeat_interleave(2, dim=1)[:, :d_model]
    return torch.sin(angles) + torch.cos(angles)
""",
    ),
    Variant(
        tag="positions-odd-columns-empty",
        description="Leaves the odd columns at 0",
        message="Your odd columns are all 0: only the sines have been filled in. A sine alone is "
        "like a clock seen from the side: its hand passes every height twice in a round. What "
        "belongs on the columns between?",
        source=REFERENCE.replace(
            "    table[:, 1::2] = torch.cos(angle(two_i))[:, : d_model // 2]\n", ""
        ),
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
    Variant(
        tag="positions-cosine-exponent-doubled",
        description="Doubles the exponent of the cosines, but not of the sines",
        message="Your sines are right, but your cosines slow down twice as fast: in their line "
        "stands a factor of 2 that the other line hasn't. A range that steps by 2 already goes 0, "
        "2, 4, …: is its variable the i of the formula, or its 2i?",
        source=REFERENCE.replace("torch.cos(angle(two_i))", "torch.cos(angle(2 * two_i))"),
    ),
    Variant(
        tag="positions-pairs-counted-from-one",
        description="Counts the pairs from 1, so every wave is too slow",
        message="Each pair of yours has the angle of the one after it: you count pairs from 1. "
        "The first pair is the sine and cosine of the position itself. Which i makes the power "
        "equal to 1?",
        source=REFERENCE.replace("column / d_model", "(column + 2) / d_model"),
    ),
    Variant(
        tag="positions-base-100000",
        description="Base 100000 instead of 10000",
        message="Your exponents are fine, but every wave after the first is too slow: the base of "
        "your power is too large. Count the zeros, in the formula and in your code.",
        source=REFERENCE.replace("10000 **", "100000 **"),
    ),
    Variant(
        tag="positions-power-of-the-fraction",
        description="Raises position / 10000 to the power: brackets in the wrong place",
        message="You raise the whole fraction to the power, position included, so the angle "
        "hardly grows with the position. In the formula the exponent belongs to one number alone. "
        "Where do your brackets close?",
        source=REFERENCE.replace(
            "position / 10000 ** (column / d_model)", "(position / 10000) ** (column / d_model)"
        ),
    ),
    Variant(
        tag="positions-exponent-over-length",
        description="Divides the exponent by the length instead of d_model",
        message="Your waves depend on how long the table is, so position 3 of a short sentence "
        "and of a long one get different rows. By which of the two sizes does the exponent divide "
        "2i?",
        source=REFERENCE.replace("column / d_model", "column / seq_len"),
    ),
    Variant(
        tag="positions-relative-to-length",
        description="Divides the position by the length",
        message="You divide the position by the length, so that every table runs from 0 to 1. "
        "Then position 3 of a short sentence and of a long one get different rows. What does the "
        "formula do with `pos` before it divides by the power?",
        source=REFERENCE.replace("position / 10000", "position / seq_len / 10000"),
    ),
    Variant(
        tag="positions-times-two-pi",
        description="Multiplies the angles by 2π",
        message="Your waves are 2π times too quick: with whole turns for an angle, even the first "
        "sine is 0 at every position. The formula takes the position itself as an angle, in "
        "radians. Which factor is one too many?",
        source=REFERENCE.replace("return position /", "return 2 * math.pi * position /"),
    ),
    Variant(
        tag="positions-multiplied-by-an-exponential",
        description="Loses the minus in exp(-log(10000) · 2i/d): waves get wilder",
        message="Your waves get wilder from left to right, until neighbouring positions have "
        "nothing in common. e^(x · log 10000) is 10000^x: to divide by that power with an "
        "exponential, which sign does its exponent need?",
        source=REFERENCE.replace(
            "position / 10000 ** (column / d_model)",
            "position * torch.exp(column * (math.log(10000.0) / d_model))",
        ),
    ),
    Variant(
        tag="positions-divided-by-a-negative-power",
        description="Divides by exp(-log(10000) · 2i/d): the power is inverted twice",
        message="Your waves get wilder from left to right, until neighbouring positions have "
        "nothing in common. The minus in your exponential makes one over the power already: what "
        "happens if you divide by that?",
        source=REFERENCE.replace(
            "position / 10000 ** (column / d_model)",
            "position / torch.exp(column * (-math.log(10000.0) / d_model))",
        ),
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
        tag="positions-odd-width-fails-in-a-loop",
        description="Writes column i + 1 in a loop over even i: an odd d_model raises",
        message="Even widths work, but an odd one ends in an error: your loop always fills a "
        "pair, and the last sine has no column beside it. What can you ask before you write into "
        "column i + 1?",
        source="""\
def positional_encoding(seq_len, d_model):
    table = torch.zeros(seq_len, d_model)
    for position in range(seq_len):
        for column in range(0, d_model, 2):
            angle = position / 10000 ** (column / d_model)
            table[position, column] = math.sin(angle)
            table[position, column + 1] = math.cos(angle)
    return table
""",
    ),
    Variant(
        tag="positions-odd-width-fails-for-a-sine",
        description="Makes d_model // 2 angles, one too few for the sines of an odd width",
        message="Even widths work, but an odd one ends in an error: you make half as many angles "
        "as there are columns, rounded down, and the last even column gets none. Of 7 columns, "
        "how many are even and how many odd?",
        source=REFERENCE.replace(
            "torch.arange(0, d_model, 2)", "2 * torch.arange(d_model // 2)"
        ).replace("[:, : d_model // 2]", ""),
    ),
    Variant(
        tag="positions-odd-width-fails-in-numpy",
        description="In NumPy, an odd d_model raises: one cosine more than odd columns",
        message="Even widths work, but an odd one ends in an error: you have as many cosines as "
        "sines. Of 7 columns, how many are even and how many odd?",
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
        tag="positions-odd-width-refused",
        description="Raises a ValueError for an odd d_model",
        message="You refuse an odd d_model. The formula has no such condition: with 7 columns the "
        "last sine just has no cosine beside it. Which slice needs one column less then?",
        source=REFERENCE.replace(
            "    position =",
            ('    if d_model % 2:\n        raise ValueError("d_model is odd")\n    position ='),
        ),
    ),
    Variant(
        tag="positions-odd-width-asserted-away",
        description="Asserts that d_model is even",
        message="You assert that d_model is even. The formula has no such condition: with 7 "
        "columns the last sine just has no cosine beside it. Which slice needs one column less "
        "then?",
        source=REFERENCE.replace("    position =", "    assert d_model % 2 == 0\n    position ="),
    ),
    Variant(
        tag="positions-odd-width-last-column-empty",
        description="Leaves the last column of an odd d_model at 0",
        message="With an odd d_model your last column is all 0: you fill whole pairs and stop. It "
        "is an even column, counted from 0; which function belongs there, with no partner beside "
        "it?",
        source=REFERENCE.replace(
            "torch.arange(0, d_model, 2)", "torch.arange(0, d_model - 1, 2)"
        ).replace("table[:, 0::2]", "table[:, 0 : d_model // 2 * 2 : 2]"),
    ),
    Variant(
        tag="positions-odd-width-one-too-few",
        description="An odd d_model gives one column too few",
        message="With d_model = 7 your table has 6 columns, since you make whole pairs and half "
        "of 7, rounded down, is 3. Which of the 7 columns is missing, and is it a sine or a "
        "cosine?",
        source=REFERENCE.replace(
            "torch.arange(0, d_model, 2)", "2 * torch.arange(d_model // 2)"
        ).replace("torch.zeros(seq_len, d_model)", "torch.zeros(seq_len, d_model // 2 * 2)"),
    ),
    Variant(
        tag="positions-odd-width-made-even",
        description="Makes an odd d_model even: one column too few, other exponents",
        message="An odd d_model is made even by leaving out a column, so with 7 your table has 6 "
        "columns, and the exponents are those of 6 as well. The formula has no such condition. "
        "Which slice alone needs one column less?",
        source=REFERENCE.replace("    position =", "    d_model -= d_model % 2\n    position ="),
    ),
    Variant(
        tag="positions-odd-width-rounded-up",
        description="An odd d_model divides the exponents by the next even number",
        message="With d_model = 7 your table has the right shape, but its exponents are those of "
        "8: you make an even table and cut it. The formula divides by d_model as it is. What is "
        "the number of columns needed for, and what the width in the exponent?",
        source=REFERENCE.replace(
            "    position =",
            ("    width, d_model = d_model, d_model + d_model % 2\n    position ="),
        ).replace("return table", "return table[:, :width]"),
    ),
    Variant(
        tag="positions-first-row-empty",
        description="Leaves the first row at 0: the loop begins at position 1",
        message="Your first row is all 0, since your loop begins at position 1. The position 0 "
        "has a row as well, and a cosine of 0 isn't 0. Where should the loop begin?",
        source=REFERENCE.replace("return table", "table[0] = 0\n    return table"),
    ),
    Variant(
        tag="positions-return-in-the-loop",
        description="Returns after the first row: return stands inside the loop",
        message="Only the first row of your table is filled in, the others are all 0. A `return` "
        "ends the loop it stands in. How far is yours indented?",
        source=REFERENCE.replace("return table", "table[1:] = 0\n    return table"),
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
        tag="positions-batch-axis-in-the-middle",
        description="Returns (seq_len, 1, d_model)",
        message="Your table has a third axis in the middle, as code has it that puts the sequence "
        "before the batch. The exercise asks for the plain table of (seq_len, d_model). Which "
        "line adds the axis?",
        source=REFERENCE.replace("return table", "return table.unsqueeze(1)"),
    ),
    Variant(
        tag="positions-plain-list",
        description="Returns nested lists instead of a tensor",
        message="The numbers may be right, but they come back in lists. To be added to "
        "embeddings, the table has to be a tensor. Which function of torch takes over lists?",
        source="""\
def positional_encoding(seq_len, d_model):
    rates = [10000 ** ((column - column % 2) / d_model) for column in range(d_model)]
    waves = [math.cos if column % 2 else math.sin for column in range(d_model)]
    return [
        [wave(position / rate) for wave, rate in zip(waves, rates)] for position in range(seq_len)
    ]
""",
    ),
    Variant(
        tag="positions-in-half-precision",
        description="Returns float16",
        message="Your table holds half-precision numbers, which have three digits only, and "
        "neighbouring positions become hard to tell apart. Which `dtype` do the tensors of this "
        "homework have?",
        source=REFERENCE.replace("return table", "return table.half()"),
    ),
    Variant(
        tag="positions-rounded",
        description="Rounds the table to three decimals",
        message="You round the table. For reading that is nice, but in the slow columns the steps "
        "between neighbouring positions are smaller than that, and they vanish. Who should round, "
        "and when?",
        source=REFERENCE.replace("return table", "return table.round(decimals=3)"),
    ),
    Variant(
        tag="positions-rounded-coarsely",
        description="Rounds the table to two decimals",
        message="You round the table to two decimals. For reading that is nice, but in the slow "
        "columns the steps between neighbouring positions are smaller than that, and they vanish. "
        "Who should round, and when?",
        source=REFERENCE.replace("return table", "return table.round(decimals=2)"),
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
