"""Hidden test of `find_the_bug`: a student's own wrong attention, and a right one, on one input."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograder.testing import (
    Bugs,
    Student,
    describe,
    expect,
    expect_difference,
    implementation,
    open_ended,
    points,
)

pytestmark = open_ended

MAX_SIZE, MAX_ENTRY = 12, 1000


@points(3, "on your input, your bug returns something else than a right attention")
def test_the_bug_shows(student: Student, bugs: Bugs) -> None:
    """On Q, K and V, your bug clearly differs from a right attention."""
    found = student.find_the_bug()
    wrong, inputs = bugs.found_in(found, "the arrays (Q, K, V)", attention_inputs)
    attentions = (implementation("import numpy as np", each) for each in (bugs.reference, wrong))
    expect_difference(*(each.scaled_dot_product_attention for each in attentions), *inputs)


def attention_inputs(arrays: Any) -> list[np.ndarray]:
    """Return Q, K and V as float64; raise `AssertionError` if they are no input of attention."""
    assert isinstance(arrays, (tuple, list)) and len(arrays) == 3, (
        f"The input should be a tuple (Q, K, V), but it is {describe(arrays)}."
    )
    for name, each in zip("QKV", arrays, strict=True):
        assert isinstance(each, np.ndarray) and each.dtype.kind in "iuf" and each.ndim == 2, (
            f"{name} should be a NumPy array of numbers with two axes, but it is {describe(each)}."
        )
        assert min(each.shape) > 0 and max(each.shape) <= MAX_SIZE, (
            f"{name} has the shape {each.shape}: sizes from 1 to {MAX_SIZE} are enough."
        )
        assert np.isfinite(each).all() and (abs(each.astype(float)) <= MAX_ENTRY).all(), (
            f"The entries of {name} should be numbers from {-MAX_ENTRY} to {MAX_ENTRY}."
        )
    Q, K, V = arrays
    expect.that(
        Q.shape[1] == K.shape[1] and len(K) == len(V),
        f"Q, K and V have the shapes {Q.shape}, {K.shape} and {V.shape}. A query is as long as a "
        "key, and each key has a value.",
    )
    return [each.astype(np.float64) for each in arrays]
