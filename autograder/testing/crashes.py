"""Explain common exceptions of NumPy, PyTorch and Python to the student.

The text of an exception comes from the student's process; an explanation quotes nothing from it
but the sizes and names that its rule captures.
"""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Rule:
    """Explains exceptions whose text matches `pattern`; `{name}` in `meaning` is a group of it."""

    pattern: str
    meaning: str

    def explain(self, text: str) -> str:
        """Return the explanation, or an empty string if `text` doesn't match."""
        found = re.search(self.pattern, text)
        return self.meaning.format(**found.groupdict()) if found else ""


_INNER = (
    "In a matrix product the inner sizes must be equal; here {a} meets {b}. Should one of the two "
    "be transposed, or should they be multiplied in the other order?"
)
_BROADCAST = (
    "Shapes are compared from the last axis backwards: each pair of sizes must be equal, or one of "
    "the two must be 1. Was an axis lost earlier, perhaps in a sum or maximum without `keepdims`?"
)
_NONE = (
    "A value is None where your code needs something else. Does a function that you call here lack "
    "a `return`, perhaps in one of its branches?"
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
        "A new shape must hold exactly as many numbers as the old one. Which of its sizes is not "
        "what you expected?",
    ),
    Rule(
        r"view size is not compatible",
        "`view` needs the numbers to lie in memory in the order of the axes, which a transpose, "
        "for example, changes; `reshape` copies them if necessary.",
    ),
    Rule(
        r"axis (?P<axis>-?\d+) is out of bounds for array of dimension (?P<n>\d+)",
        "Your code uses axis {axis}, but the number of axes is {n}, counted from 0. Would counting "
        "from the last axis help?",
    ),
    Rule(
        r"Dimension out of range .* but got (?P<axis>-?\d+)",
        "Your code uses axis {axis}, which this tensor doesn't have. Would counting from the last "
        "axis help?",
    ),
    Rule(
        r"have the same dtype|expected scalar type",
        "Two tensors of different dtypes are combined. Which of them has a dtype that you didn't "
        "expect?",
    ),
    Rule(r"NoneType", _NONE),
    Rule(
        r"takes 1 positional argument but 2 were given|takes 2 positional .* but 3 were",
        "A function received more arguments than it accepts. If it is a method, is `self` its "
        "first parameter?",
    ),
    Rule(
        r"(too many|not enough) values to unpack",
        "The number of names on the left of an assignment differs from the number of values on the "
        "right. How many axes, or results, do you expect there?",
    ),
    Rule(
        r"'(?P<owner>\w+)' object has no attribute '(?P<name>\w+)'",
        "This `{owner}` has no `{name}`. Is it the type of object that you expect? If you set "
        "`{name}` yourself, is it spelt the same there, and does that line run?",
    ),
    Rule(
        r"name '(?P<name>\w+)' is not defined",
        "Is `{name}` spelt the same where you define it? Is it perhaps defined only inside another "
        "function, or in a cell that raised an error?",
    ),
    Rule(
        r"maximum recursion depth",
        "A function calls itself too often. Which condition should end the recursion?",
    ),
    Rule(
        r"cannot assign module before Module.__init__\(\) call",
        "Call `super().__init__()` before you give the module its layers.",
    ),
    Rule(
        r"only (length-1|0-dimensional|integer scalar) arrays can be converted",
        "A function that takes a single number, such as those in `math`, received a whole array.",
    ),
    Rule(
        r"leaf Variable that requires grad is being used in an in-place operation",
        "A parameter can't be changed in place while gradients are recorded.",
    ),
)


def explain(text: str) -> str:
    """Return an explanation of an exception with this text, or an empty string."""
    return next((meaning for rule in RULES if (meaning := rule.explain(text))), "")
