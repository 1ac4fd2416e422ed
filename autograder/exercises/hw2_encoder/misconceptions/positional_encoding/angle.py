"""What learners get wrong in positional_encoding: angle."""

from __future__ import annotations

from autograder.testing import Variant, WorkedExample

# Where angles are numbers of 64 bits, the three ways to multiply by the power give the same.
WILDER = (
    "Your waves get wilder from left to right, until neighbouring positions have nothing in "
    "common. They should get slower and slower: in the formula the power stands below the fraction "
    "line. What puts it above the line in your code: a product, an exponent without its minus, or "
    "a division by what is one over the power already?"
)

MISCONCEPTIONS = (
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
        "busy. If you number the pairs 0, 1, 2, …, that number is the i of the formula. What "
        "stands in front of it in the exponent?",
        edits={"column / d_model": "column / 2 / d_model"},
    ),
    Variant(
        tag="positions-exponent-over-d-model-less-two",
        description="Divides the exponent by d_model - 2 (the number of pairs less one)",
        message="Your exponents run all the way up to 1, as in some well-known code. In the "
        "paper's formula the last pair stops just short of it. Look at what the exponent divides "
        "2i by.",
        edits={"column / d_model": "column / max(1, d_model - 2)"},
    ),
    Variant(
        tag="positions-angles-in-half-precision",
        description="Computes the angles in half precision",
        message="The further a position is from the start, the further your row is off: your "
        "angles are numbers of half precision, and three digits or so don't say where a wave "
        "stands after many turns. Where in your code do numbers become half?",
        edits={
            "return position / 10000 ** (column / d_model)": (
                "return (position.half() * (1 / 10000 ** (column / d_model)).half()).float()"
            )
        },
    ),
    Variant(
        tag="positions-cosine-has-its-own-angle",
        description="The cosine's exponent counts its own column, 2i+1",
        message="Your cosines are slower than the sines beside them: their exponent counts their "
        "own column. In the formula the second line differs from the first in two places. The "
        "exponent is neither of them.",
        edits={"torch.cos(angle(two_i))": "torch.cos(angle(two_i + 1))"},
    ),
    Variant(
        tag="positions-cosine-has-the-next-angle",
        description="The cosine has the angle of the pair to its right: i is rounded up",
        message="Each cosine of yours has the angle of the sine to its right, where it should have "
        "that of the sine to its left: 2i and 2i+1 are one pair. If you make i of the column by "
        "halving: in which direction do you round?",
        edits={"torch.cos(angle(two_i))": "torch.cos(angle(two_i + 2))"},
    ),
    Variant(
        tag="positions-one-angle-for-all",
        description="Every pair of columns has the same angle: the exponent lacks i",
        message="All your pairs of columns turn at the same speed, as if all hands of a clock were "
        "hour hands. Further to the right the waves should get slower. Which letter of the "
        "exponent plays no part in yours?",
        edits={"column / d_model": "column * 0 + 1 / d_model"},
    ),
    Variant(
        tag="positions-no-power",
        description="Sine and cosine of the position itself in every column",
        message="Every pair of your columns is the sine and the cosine of the position itself, so "
        "they all say the same. That is right for the first pair alone. What does the formula "
        "divide the position by, further to the right?",
        edits={"10000 ** (column / d_model)": "column**0"},
    ),
    Variant(
        tag="positions-from-one",
        description="Counts positions from 1",
        message="Your first row is that of position 1. Positions count from 0, so whatever the "
        "width, the first row should hold nothing but zeros and ones. Where do your positions "
        "begin?",
        edits={"torch.arange(seq_len)": "torch.arange(1, seq_len + 1)"},
    ),
    Variant(
        tag="positions-base-1000",
        description="Base 1000 instead of 10000",
        message="The base of your power is too small, and a smaller base makes all waves after the "
        "first faster. Count the zeros, in the formula and in your code.",
        edits={"10000 **": "1000 **"},
    ),
    Variant(
        tag="positions-multiplied",
        description="Multiplies the position by the power instead of dividing",
        message=WILDER,
        edits={"position / 10000": "position * 10000"},
    ),
    Variant(
        tag="positions-cosine-exponent-doubled",
        description="Doubles the exponent of the cosines, but not of the sines",
        message="Your cosines slow down twice as fast as your sines: their exponent is twice as "
        "large. A range that steps by 2 already goes 0, 2, 4, …: is its "
        "variable the i of the formula, or its 2i?",
        edits={"torch.cos(angle(two_i))": "torch.cos(angle(2 * two_i))"},
    ),
    Variant(
        tag="positions-pairs-counted-from-one",
        description="Counts the pairs from 1, so every wave is too slow",
        message="Each of your pairs has the angle of the pair after it, as if the first i were 1. "
        "The first pair should be the sine and the cosine of the position itself. There the power "
        "has to be 1.",
        edits={"column / d_model": "(column + 2) / d_model"},
    ),
    Variant(
        tag="positions-base-100000",
        description="Base 100000 instead of 10000",
        message="The base of your power is too large, and a larger base makes all waves after the "
        "first slower. Count the zeros, in the formula and in your code.",
        edits={"10000 **": "100000 **"},
    ),
    Variant(
        tag="positions-power-of-the-fraction",
        description="Raises position / 10000 to the power: brackets in the wrong place",
        message="You raise the whole fraction to the power, position included, so the angle "
        "hardly grows with the position. In the formula the exponent belongs to one number alone. "
        "Where do your brackets close?",
        edits={
            "position / 10000 ** (column / d_model)": "(position / 10000) ** (column / d_model)"
        },
    ),
    Variant(
        tag="positions-exponent-over-length",
        description="Divides the exponent by the length instead of d_model",
        message="Your waves depend on how long the table is, so position 3 gets one row in a short "
        "sentence and another in a long one. Which of the two sizes does the exponent divide 2i "
        "by?",
        edits={"column / d_model": "column / seq_len"},
    ),
    Variant(
        tag="positions-relative-to-length",
        description="Divides the position by the length",
        message="You divide the position by the length, so positions run from 0 to 1 in every "
        "table, and position 3 gets one row in a short sentence and another in a long one. The "
        "formula takes `pos` as it is.",
        edits={"position / 10000": "position / seq_len / 10000"},
    ),
    Variant(
        tag="positions-relative-to-the-last",
        description="Divides the position by the last one",
        message="You divide the position by the last one, so positions run from 0 to 1 in every "
        "table, and position 3 gets one row in a short sentence and another in a long one. The "
        "formula takes `pos` as it is.",
        edits={"position / 10000": "position / max(seq_len - 1, 1) / 10000"},
    ),
    Variant(
        tag="positions-spread-over-the-length",
        description="Spreads seq_len positions evenly from 0 to seq_len",
        message="Your positions are a little too far apart, and how far depends on the length: in "
        "every table they run from 0 to `seq_len` itself, so position 3 gets one row in a short "
        "sentence and another in a long one. `linspace` reaches its end: which position is last?",
        edits={"torch.arange(seq_len)": "torch.linspace(0, seq_len, seq_len)"},
    ),
    Variant(
        tag="positions-as-parts-of-a-turn",
        description="Positions from 1, divided by the last and multiplied by 2π, as for pictures",
        message="Your positions run up to 2π in every table, as code for pictures has it, so "
        "position 3 gets one row in a short sentence and another in a long one. The formula takes "
        "`pos` as it is, from 0.",
        edits={"return position /": "return 2 * math.pi * (position + 1) / seq_len /"},
    ),
    Variant(
        tag="positions-times-two-pi",
        description="Multiplies the angles by 2π",
        message="Your waves are 2π times too fast: with whole turns for an angle, even the first "
        "sine is 0 at every position. The formula takes the position itself as an angle, in "
        "radians. Which factor is one too many?",
        edits={"return position /": "return 2 * math.pi * position /"},
    ),
    Variant(
        tag="positions-multiplied-by-an-exponential",
        description="Loses the minus in exp(-log(10000) · 2i/d): waves get wilder",
        message=WILDER,
        edits={
            "position / 10000 ** (column / d_model)": (
                "position * torch.exp(column * (math.log(10000.0) / d_model))"
            )
        },
    ),
    Variant(
        tag="positions-divided-by-a-negative-power",
        description="Divides by exp(-log(10000) · 2i/d): the power is inverted twice",
        message=WILDER,
        edits={
            "position / 10000 ** (column / d_model)": (
                "position / torch.exp(column * (-math.log(10000.0) / d_model))"
            )
        },
    ),
    Variant(
        tag="positions-in-degrees",
        description="Takes the angles for degrees",
        message="Your waves are nearly 60 times too slow, as if the angles were degrees. Sine and "
        "cosine take radians, in the formula as well as in `torch.sin` and `math.sin`. Which "
        "conversion is one too many?",
        edits={"return position /": "return math.pi / 180 * position /"},
    ),
    Variant(
        tag="positions-decimal-logarithm",
        description="exp(-log10(10000) · 2i/d): the logarithm to base 10 with base e",
        message="Your waves slow down too little, as if a logarithm to base 10 had been undone "
        "with a power of e. e^(x · log 10000) is 10000^x for one kind of logarithm only.",
        edits={"10000 ** (column / d_model)": "torch.exp(math.log10(10000) * column / d_model)"},
    ),
    Variant(
        tag="positions-base-e",
        description="e^(2i/d_model) instead of 10000^(2i/d_model)",
        message="Your waves hardly slow down from left to right: the power below the fraction line "
        "has e for its base. If you wrote it as an exponential, a factor in the exponent would "
        "turn e into another base.",
        edits={"10000 ** (column / d_model)": "torch.exp(column / d_model)"},
    ),
    Variant(
        tag="positions-exponent-divided-by-floor",
        description="Rounds -log(10000) / d_model down to a whole number by `//`",
        message="Your waves slow down far too fast, from each pair to the next by a whole power of "
        "e, whatever d_model is. A division with two strokes rounds down, and a small negative "
        "number becomes -1. Which of your divisions should keep its digits?",
        edits={
            "10000 ** (column / d_model)": (
                "torch.exp(-column * (-math.log(10000.0) / d_model // 2))"
            )
        },
    ),
    Variant(
        tag="positions-division-outside-the-exponent",
        description="Divides the power by d_model instead of the exponent",
        message="Your exponent is 2i as it stands, and the power is divided by d_model afterwards, "
        "so the first wave is already too fast and the later ones nearly stand still. `**` binds "
        "more tightly than `/`, so a pair of brackets is missing.",
        edits={"10000 ** (column / d_model)": "(10000.0**column / d_model)"},
    ),
    Variant(
        tag="positions-divided-by-d-model-instead-of-the-exponent",
        description="Leaves out the brackets of the exponent: pos / 10000 ** 2i / d_model",
        message="Your exponent is 2i as it stands, and it is the angle that d_model divides, so "
        "even the first wave is too slow. `**` binds more tightly than `/`, and of two divisions "
        "in a row the left one comes first: a pair of brackets is missing.",
        edits={"10000 ** (column / d_model)": "10000.0**column / d_model"},
    ),
)

TABLE = WorkedExample(
    """
Three positions and four columns. The columns go in pairs: a sine and, beside it, the cosine of the
same angle. The angle is the position divided by a power of 10000.

For the first pair, columns 0 and 1, the exponent is 0/4 = 0, and 10000^0 = 1: the angles are the
positions 0, 1 and 2 themselves.

For the second pair, columns 2 and 3, the exponent is 2/4 = 0.5, and 10000^0.5 = 100: the angles
are 0, 1/100 = 0.01 and 2/100 = 0.02, a hundred times as slow.

The first row belongs to position 0. All its angles are 0, whose sine is 0 and whose cosine is 1:
0, 1, 0, 1.

Go through your table pair by pair. Which pair goes wrong first, and is it the order of its columns
or the speed of its angle?""",
    "positional_encoding(3, 4)",
    [[0.0, 1.0, 0.0, 1.0], [0.84147, 0.5403, 0.01, 1.0], [0.9093, -0.41615, 0.02, 1.0]],
)
EXAMPLES = (TABLE,)
