"""Explain common exceptions of NumPy, PyTorch and Python to the student.

rule      explains one kind of exception by its text, and tags it
arrays    the exceptions of NumPy and PyTorch
names     those of Python: values, calls, and names that don't exist
spelling  the name that was probably meant
"""

from autograder.testing.crashes.arrays import RULES as _ARRAYS
from autograder.testing.crashes.names import RULES as _NAMES
from autograder.testing.crashes.rule import Explanation

RULES = (*_ARRAYS, *_NAMES)


def explain(text: str, line: str = "") -> Explanation | None:
    """Return the explanation of an exception with this text, or None; `line` is where it was."""
    where = line or "that line"
    return next((found for rule in RULES if (found := rule.explain(text, where))), None)
