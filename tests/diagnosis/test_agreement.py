"""Two answers are compared, and weighed as evidence."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from autograder.diagnosis.agreement import equal, is_distinctive

DRAWN = np.array([[0.3, -1.7], [2.2, 1.0]])


@pytest.mark.parametrize("value", [DRAWN, (DRAWN, DRAWN[0]), {"scores": DRAWN}], ids=str)
def test_broken_numbers_are_telling(value: Any) -> None:
    assert is_distinctive(value)


@pytest.mark.parametrize(
    "value",
    [
        None,
        0.3,
        np.eye(3),
        np.full(3, np.nan),
        np.full(3, np.inf),
        np.arange(3),
        (np.eye(2), DRAWN),
        (),
        "0.3",
    ],
    ids=str,
)
def test_what_many_mistakes_give_is_not_telling(value: Any) -> None:
    assert not is_distinctive(value)


MASK = np.tri(3, dtype=bool)


@pytest.mark.parametrize(
    ("one", "other", "agree"),
    [
        (MASK, MASK.copy(), True),
        (MASK, ~MASK, False),
        (MASK, MASK.astype(float), False),
        (np.arange(3), np.arange(3.0), False),
        ([0.3, 1.0], (0.3 + 1e-7, 1.0), True),
        ([0.3, 1.0], [0.31, 1.0], False),
        (0.5, None, False),
    ],
    ids=str,
)
def test_values_agree_but_for_rounding(one: Any, other: Any, agree: bool) -> None:
    assert equal(one, other) is agree
