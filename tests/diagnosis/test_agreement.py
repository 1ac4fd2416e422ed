"""Two answers are compared, and weighed as evidence."""

from datetime import date
from typing import Any

import numpy as np
import pandas as pd
import pytest

from autograder.diagnosis.agreement import (
    equal,
    has_numbers,
    is_distinctive,
    leaves,
    same,
    same_types,
    structure_of,
)

DRAWN = np.array([[0.3, -1.7], [2.2, 1.0]])


def test_non_integers_are_telling_and_what_many_mistakes_give_is_not() -> None:
    telling = (DRAWN, (DRAWN, DRAWN[0]), {"scores": DRAWN}, [0.31, 0.17])
    common: tuple[Any, ...] = (np.eye(3), np.full(3, np.nan), np.full(3, np.inf), np.arange(3))
    common += (np.array([1.0, 3.0, 5.0]),)
    common += (None, 0.3, (np.eye(2), DRAWN), (), "0.3", [0.3], [0.0, 1.0])
    assert [value for value in telling if not is_distinctive(value)] == []
    assert [value for value in common if is_distinctive(value)] == []


MASK = np.tri(3, dtype=bool)
TABLE = pd.DataFrame({"group": ["a", "b"], "value": [0.3, 1.7]})


def test_texts_and_tables_have_a_structure_as_numbers_have() -> None:
    """Two mistakes at once are looked for by it."""
    ours = {"value": [TABLE, np.array(["a"]), {1, 2}, date(2026, 2, 27)]}
    assert structure_of(ours) == structure_of({"value": [TABLE * 1, *ours["value"][1:]]})
    assert structure_of(ours) != structure_of({"value": [TABLE[:1], *ours["value"][1:]]})
    numbers = [each for each in leaves(ours["value"]) if has_numbers(each)]
    assert [each.tolist() for each in numbers] == [[0, 1], [0.3, 1.7]]


@pytest.mark.parametrize(
    ("one", "other", "agree"),
    [
        (MASK, MASK.copy(), True),
        (MASK, ~MASK, False),
        (MASK, MASK.astype(float), False),
        ([0.3, 1.0], (0.3 + 1e-7, 1.0), True),
        ([0.3, 1.0], [0.31, 1.0], False),
        (0.5, None, False),
        ({0.1 + 0.2, "a"}, {0.3, "a"}, True),
        ({1, 2}, {1, 3}, False),
        ({1, 2}, [1, 2], False),
        (TABLE, TABLE.assign(value=[0.3 + 1e-7, 1.7]), True),
        (TABLE, TABLE.assign(value=[0.3, 1.8]), False),
        (TABLE, TABLE.assign(group=["a", "c"]), False),
        (TABLE, TABLE["value"], False),
        (np.array(["a", "b"]), np.array(["a", "b"]), True),
        (np.array(["a", "b"]), np.array(["a", "c"]), False),
    ],
    ids=str,
)
def test_values_agree_but_for_rounding(one: Any, other: Any, agree: bool) -> None:
    assert equal(one, other) is agree


def _gradients(**parameters: Any) -> dict[str, Any]:
    return {"value": {"parameters": parameters, "inputs": []}}


def test_gradients_agree_whatever_the_parameters_are_called() -> None:
    ours = _gradients(first=DRAWN, second=DRAWN[0], third=None)
    assert same(ours, _gradients(second=None, third=DRAWN, fourth=DRAWN[0]))
    assert not same(ours, _gradients(second=DRAWN[1], third=DRAWN, fourth=None))
    assert not same(ours, _gradients(second=DRAWN[0], third=DRAWN))
    assert not same({"value": {"a": DRAWN}}, {"value": {"b": DRAWN}})


def test_dtypes_are_told_apart_in_tensors_alone() -> None:
    torch = pytest.importorskip("torch")
    single, double = torch.ones(2), torch.ones(2).double()
    assert same({"value": single}, {"value": double})
    assert not same_types({"value": (single, [])}, {"value": (double, [])})
    assert same_types({"value": DRAWN}, {"value": DRAWN.astype("f")})
