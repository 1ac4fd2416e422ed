"""What an exception of NumPy, PyTorch or Python mostly means, in words for the student.

The text of an exception comes from the student's process; all that is taken from it are the sizes
and names that a rule asks for.
"""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Rule:
    """What an exception with a text like `pattern` means; `{name}` stands for a group of it."""

    pattern: str
    meaning: str

    def explain(self, text: str) -> str:
        """Return the meaning, or nothing if the rule isn't about `text`."""
        found = re.search(self.pattern, text)
        return self.meaning.format(**found.groupdict()) if found else ""


_INNER = (
    "In a product of matrices the sizes that meet inside have to be equal; here {a} meets {b}. "
    "Is one of the two meant to be transposed, or do they come the other way round?"
)
_BROADCAST = (
    "Sizes are compared from the last axis on, and each two have to be equal or one of them 1. Was "
    "an axis lost on the way, by a sum or a maximum without `keepdims`?"
)
_NONE = (
    "Something returned None and was used as if it were a value. Which of the functions that you "
    "call here has no `return`, or one in only one of its branches?"
)

RULES = (
    Rule(r"size (?P<b>\d+) is different from (?P<a>\d+)\)", _INNER),  # NumPy, @
    Rule(r"not aligned: (?P<a>\d+) \(dim \d\) != (?P<b>\d+)", _INNER),  # NumPy, dot
    Rule(r"cannot be multiplied \(\d+x(?P<a>\d+) and (?P<b>\d+)x\d+\)", _INNER),  # PyTorch
    Rule(
        r"Expected size for first two dimensions of batch2 tensor to be: "
        r"\[\d+, (?P<a>\d+)\] but got: \[\d+, (?P<b>\d+)\]",
        _INNER,
    ),
    Rule(r"could not be broadcast together", _BROADCAST),
    Rule(r"size of tensor a \(\d+\) must match the size of tensor b", _BROADCAST),
    Rule(
        r"cannot reshape array of size|is invalid for input of size",
        "A new shape has to hold exactly as many numbers as the old one. Which of its sizes did "
        "you expect to be another?",
    ),
    Rule(
        r"view size is not compatible",
        "After a transpose the numbers no longer lie in memory in the order of the axes, and "
        "`view` can't look at them in another way; `reshape` copies them if it has to.",
    ),
    Rule(
        r"axis (?P<axis>-?\d+) is out of bounds for array of dimension (?P<n>\d+)",
        "You name axis {axis}, but the array has {n} axes only. Would counting from the last axis "
        "help?",
    ),
    Rule(
        r"Dimension out of range .* but got (?P<axis>-?\d+)",
        "You name axis {axis}, which the tensor hasn't got. Would counting from the last help?",
    ),
    Rule(r"have the same dtype|expected scalar type", "Two tensors of different dtypes meet."),
    Rule(r"NoneType", _NONE),
    Rule(
        r"takes 1 positional argument but 2 were given|takes 2 positional .* but 3 were",
        "A method takes the object itself as its first argument. Is there a `self` too few?",
    ),
    Rule(
        r"(too many|not enough) values to unpack",
        "The left side of an assignment has another number of names than there are values on the "
        "right. How many axes, or results, do you expect there?",
    ),
    Rule(
        r"'(?P<owner>\w+)' object has no attribute '(?P<name>\w+)'",
        "`{name}` is used but was never made. Is it spelt as it is where it is made, and is that "
        "place reached?",
    ),
    Rule(
        r"name '(?P<name>\w+)' is not defined",
        "Is `{name}` spelt as it is where you define it, or does it live in another cell or inside "
        "another function?",
    ),
    Rule(r"maximum recursion depth", "A function calls itself and never stops."),
    Rule(
        r"cannot assign module before Module.__init__\(\) call",
        "Call `super().__init__()` before you give the module its layers.",
    ),
    Rule(
        r"only (length-1|0-dimensional|integer scalar) arrays can be converted",
        "A function of single numbers, from `math` say, was given a whole array.",
    ),
    Rule(
        r"leaf Variable that requires grad is being used in an in-place operation",
        "A parameter can't be changed in place while gradients are recorded.",
    ),
)


def explain(text: str) -> str:
    """Return what an exception with this text mostly means, or nothing."""
    return next((meaning for rule in RULES if (meaning := rule.explain(text))), "")
