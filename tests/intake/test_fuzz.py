"""Notebooks spoilt at random are read or refused; what is not a student's comes out as it was."""

import json
import os
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autograder.errors import SubmissionError
from autograder.intake.notebook import CellRole, read_notebook
from autograder.intake.release import Release
from autograder.intake.submission import Submission, normalise
from tests.courses import KIT

EXAMPLES = int(os.environ.get("FUZZ_EXAMPLES", "100"))
HW1 = "hw1_attention"
GIVEN = (CellRole.SETUP, CellRole.TEST)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner),
    max_leaves=5,
)


@cache
def release() -> Release:
    return Release.load(KIT, HW1)


@cache
def raw() -> bytes:
    return KIT.release_path(HW1).read_bytes()


def normalised(content: bytes) -> Submission | None:
    try:
        return normalise(read_notebook(content), release())
    except SubmissionError as refusal:
        assert "\n" not in str(refusal)
        return None


def check(content: bytes) -> None:
    """What the grader takes from a student is no more than the text of answers and own cells."""
    submission = normalised(content)
    if submission is None:
        return
    ours = [
        (placed.role, placed.cell.grade_id, placed.cell.nbgrader)
        for placed in submission.cells
        if not placed.by_student
    ]
    assert ours == [(cell.role, cell.grade_id, cell.nbgrader) for cell in release().cells]
    given = [placed.cell for placed in submission.cells if placed.role in GIVEN]
    assert given == [cell for cell in release().cells if cell.role in GIVEN]


def spoilt(data: st.DataObject, value: Any) -> Any:
    """Return `value` with one thing in it replaced, left out, or there twice."""
    if not isinstance(value, (list, dict)) or not value or not data.draw(st.integers(0, 9)):
        return data.draw(VALUES)
    key = data.draw(st.sampled_from(list(value) if isinstance(value, dict) else range(len(value))))
    match data.draw(st.sampled_from(["inside", "inside", "left out", "twice"])):
        case "left out":
            del value[key]
        case "twice" if isinstance(value, list):
            value.append(value[key])
        case _:
            value[key] = spoilt(data, value[key])
    return value


@pytest.mark.slow
@settings(max_examples=EXAMPLES)
@given(st.data())
def test_a_notebook_that_is_changed_anywhere_is_repaired_or_refused(data: st.DataObject) -> None:
    content = json.loads(raw())
    for _ in range(data.draw(st.integers(1, 5))):
        content = spoilt(data, content)
    check(json.dumps(content).encode())


@settings(max_examples=EXAMPLES)
@given(st.lists(st.tuples(st.floats(0, 1), st.binary(max_size=4), st.integers(0, 9)), max_size=6))
def test_a_file_in_which_bytes_are_changed_is_repaired_or_refused(
    edits: list[tuple[float, bytes, int]],
) -> None:
    content = bytearray(raw())
    for where, inserted, removed in edits:
        start = int(where * len(content))
        content[start : start + removed] = inserted
    check(bytes(content))
