"""A value of any kind is compared: what is odd about it first, then what is wrong."""

from datetime import date, datetime
from typing import Any

import numpy as np
import pandas as pd
import pytest

from autograder.sandbox import wire
from autograder.testing import expect
from autograder.testing.expect import Revealing

TABLE = pd.DataFrame({"group": ["a", "b"], "value": [1.0, 2.0]})
SAYS = "Not what it should be."


def equal(actual: Any, expected: Any) -> None:
    """Compare as a hidden test does: what a student returns has crossed."""
    arrived = wire.unpack(wire.pack({"value": actual}))["value"]
    expect.equal(arrived, expected, SAYS, reveals="wrong")


@pytest.mark.parametrize(
    ("actual", "expected"),
    [
        ({"a": 1.0, "b": [1, 2]}, {"b": [1, 2 + 1e-7], "a": 1}),
        ([np.int64(1), np.float32(0.5), None, True], [1, 0.5, None, True]),
        ({0.1 + 0.2, "a"}, {0.3, "a"}),
        ({1.0, 2.5}, {1, 2.5}),
        (np.array([1 + 1e-9j, 2j]), np.array([1, 2j])),
        (TABLE.rename_axis("n"), TABLE),
        (TABLE.assign(value=[1, 2]), TABLE),
        (TABLE.groupby("group")["value"].mean(), pd.Series([1.0, 2], index=["a", "b"])),
        (np.array(["a", "b"]), np.array(["a", "b"], dtype=object)),
        (np.array([np.nan, np.inf]), np.array([np.nan, np.inf])),
        (pd.Timestamp("2026-02-27"), datetime(2026, 2, 27)),
    ],
    ids=lambda value: repr(value)[:30],
)
def test_equal_values_are_equal(actual: Any, expected: Any) -> None:
    equal(actual, expected)


@pytest.mark.parametrize(
    ("actual", "expected", "odd"),
    [
        ((1, 2), [1, 2], "A value of type list is expected here, not a tuple of length 2."),
        ([1], [1, 2], "Your list has the length 1, which isn't the right one."),
        ({"a": 1}, {"b": 1}, "Your dict has as many keys as it should, but not the right ones."),
        ({"a": "1"}, {"a": 1}, "A number is expected inside what you return, not a single str."),
        (True, 1, "A number is expected here, not a single bool."),
        (2**70, 1, "A number is expected here, not a whole number of more than 18 digits."),
        ([float("nan")], [1], "What you return contains nan"),
        (np.array([1, np.inf]), np.ones(2), "What you return contains an infinite number"),
        (np.ones(3), np.ones(2), "The shape should be (2,), but yours is (3,)."),
        (np.array(["1"]), np.ones(1), "A NumPy array of numbers is expected here"),
        (date(2026, 2, 27), datetime(2026, 2, 27), "A value of type datetime is expected here"),
        (TABLE["value"], TABLE, "A value of type DataFrame is expected here, not a pandas Series"),
        (TABLE[:1], TABLE, "The shape should be (2, 2), but yours is (1, 2)."),
        (TABLE[["value", "group"]], TABLE, "Your table has other column labels than it should"),
        (TABLE[::-1], TABLE, "Your table has other row labels (its index) than it should"),
        (TABLE.assign(value=["1", "2"]), TABLE, "A column of your table holds text where numbers"),
        (TABLE.assign(value=[1, np.nan]), TABLE, "What you return contains nan"),
        (
            dict.fromkeys(range(20_000)),
            {},
            "A value of type dict is expected here, not a dict that is too large",
        ),
    ],
    ids=lambda value: repr(value)[:30],
)
def test_what_is_odd_is_said_first_and_reveals_nothing(
    actual: Any, expected: Any, odd: str
) -> None:
    with pytest.raises(AssertionError) as caught:
        equal(actual, expected)
    assert str(caught.value).startswith(odd)
    assert str(caught.value).endswith(SAYS)
    assert not isinstance(caught.value, Revealing)


@pytest.mark.parametrize(
    ("actual", "expected"),
    [
        ({"a": 1}, {"a": 2}),
        ({1, 2}, {1, 3}),
        ("a", "b"),
        (date(2026, 2, 27), date(2026, 2, 28)),
        (TABLE, TABLE.assign(value=[1.0, 2.1])),
        (TABLE, TABLE.assign(group=["a", "c"])),
        (np.array(["a"]), np.array(["b"])),
        ([1, [2, 3]], [1, [2, 4]]),
    ],
    ids=lambda value: repr(value)[:30],
)
def test_what_is_wrong_fails_with_the_tests_own_sentence(actual: Any, expected: Any) -> None:
    with pytest.raises(Revealing, match=SAYS) as caught:
        equal(actual, expected)
    assert str(caught.value) == SAYS


def test_a_plain_number_is_close_to_a_number() -> None:
    expect.close(1.5, 1.5, SAYS)
    with pytest.raises(AssertionError, match=SAYS):
        expect.close(1, 2, SAYS)
    with pytest.raises(AssertionError, match="not <U1"):
        expect.close(np.array(["a"]), np.zeros(1), SAYS)
