"""An answer that computes nothing earns nothing, even if every shape is right.

The garbage is made from the solutions: what they return is replaced, shape by shape.
"""

import pytest

from tests.answering import graded
from tests.courses import EXERCISES, KIT, solved

# In a notebook, too, warnings stand beside the result.
pytestmark = pytest.mark.filterwarnings("ignore")
GARBAGE = {
    "None": "lambda value, args: None",
    "the input": "lambda value, args: args[0]",
    "zeros": "lambda value, args: value * 0",
    "ones": "lambda value, args: value * 0 + 1",
    "equal shares": "lambda value, args: value * 0 + 1 / max(1, value.shape[-1])",
    "nan": "lambda value, args: value * float('nan')",
}
# Replaces what a function, or a module's forward, returns; pairs and dicts part by part.
SPOIL = """
def _spoiled(function, make):
    def part(value, args):
        if isinstance(value, dict):
            return {{key: part(item, args) for key, item in value.items()}}
        if isinstance(value, tuple):
            return tuple(part(item, args) for item in value)
        return make(value, args)
    def spoiled(*args, **kwargs):
        value = function(*args, **kwargs)
        return part(value, [arg for arg in args if hasattr(arg, "shape")] or [None])
    return spoiled

if isinstance({name}, type):
    {name}.forward = _spoiled({name}.forward, {make})
else:
    {name} = _spoiled({name}, {make})
"""


COMPUTING = [each for each in EXERCISES if each[1] != "train"]  # it trains, whatever it returns


@pytest.mark.slow
@pytest.mark.parametrize("garbage", GARBAGE)
@pytest.mark.parametrize(("assignment", "exercise"), COMPUTING)
def test_garbage_earns_nothing(assignment: str, exercise: str, garbage: str) -> None:
    spoilt = solved(KIT, assignment)[exercise] + SPOIL.format(name=exercise, make=GARBAGE[garbage])
    report = graded(assignment, exercise, spoilt)
    assert [test.title for test in report.tests if test.score] == []
