"""Right numbers in a wrong container cost the points of one test."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
import torch

from autograder.diagnosis.agreement import equal
from autograder.grading.containers import in_container_of
from autograder.report import Report
from autograder.sandbox.host.probe import strongest
from tests.courses import KIT, solved
from tests.graders import Graders, exercise_in, full, hand_in, messages, scores

ROWS = np.array([[0.5, 1.5], [2.5, 3.5]])
ROW = np.array([0.5, 1.5, 2.5])


@pytest.mark.parametrize(
    ("right", "value"),
    [
        (ROWS, ROWS.tolist()),
        (ROWS, list(ROWS)),
        (ROWS, ROWS[None]),
        (ROW, ROW[:, None]),
        (ROWS, torch.tensor(ROWS)),
        (torch.tensor(ROWS), ROWS),
        (ROWS, (ROWS,)),
        (ROWS, list(torch.tensor(ROWS))),
        (ROWS, (ROWS, ROW)),
        (ROWS, {"weights": ROWS}),
        ((ROWS, ROW), [ROWS, ROW]),
        ((ROWS, ROW), {"weights": ROWS, "context": ROW}),
        ({"weights": ROWS, "context": ROW}, (ROWS, ROW)),
        ([0.5, 1.5, 2.5], tuple(ROW.tolist())),
        (0.5, np.array([0.5])),
        (ROWS, pd.DataFrame(ROWS, columns=["The", "cat"])),
        (torch.tensor(ROW), pd.Series(ROW)),
        ((ROWS, ROW), (pd.DataFrame(ROWS), ROW)),
    ],
)
def test_numbers_are_put_into_the_right_container(right: Any, value: Any) -> None:
    found = in_container_of(right, value)
    assert type(found) is type(right)
    assert equal(found, right)


def test_a_tensor_keeps_its_dtype_which_is_no_container() -> None:
    right, doubles = torch.tensor(ROWS).float(), torch.tensor(ROWS)
    assert in_container_of(right, doubles) is doubles
    assert in_container_of(right, doubles[None]).dtype == torch.float64


@pytest.mark.parametrize(
    ("right", "value"),
    [
        (ROWS, ROWS + 1),  # other numbers are no other container
        (ROWS, ROW),
        (ROW[None], ROW[:, None]),  # lies on its side
        (ROW[None], ROW),  # an axis was lost
        (ROWS, (ROWS, ROWS + 1)),  # which of the two?
        (ROWS, [ROWS[0], ROW]),
        (ROWS, [["0.5", "1.5"], ["2.5", "3.5"]]),
        (ROWS, [[1] * 1000] * 600 + [["x" * 190_000] + [1] * 999]),  # no array has room for that
        (torch.tensor(ROWS), ROWS.astype(np.longdouble)),  # no tensor holds these
        (torch.tensor(ROWS), ROWS.astype(">f8")),
        (0.5, np.array([0.5j])),
        (torch.tensor(ROWS), ROWS + 1j),
        (ROWS, None),
        ((ROWS, ROW), (ROW, ROWS)),  # the order is no container
        ((ROWS, ROW), ROWS),
        (ROWS, pd.DataFrame([["0.5", "1.5"], ["2.5", "3.5"]])),
        (ROW, pd.DataFrame(ROWS)),
    ],
)
def test_what_differs_in_more_than_its_container_is_left_as_it_is(right: Any, value: Any) -> None:
    assert in_container_of(right, value) is value


def answered_with(exercise: str, result: str) -> dict[str, str]:
    """Return the solution of `exercise`, which returns `result`, made of its own."""
    right = solved(KIT, "hw1_attention")[exercise]
    wrapped = f"{right}\nright_one = {exercise}\ndef {exercise}(*args):\n"
    return {exercise: f"{wrapped}    result = right_one(*args)\n    return {result}\n"}


def graded(graders: Graders, answers: dict[str, str]) -> Report:
    """Grade the solution with these answers in it."""
    return hand_in(graders("hw1_attention", strongest()), solved(KIT, "hw1_attention") | answers)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("exercise", "result"),
    [
        ("softmax", "result.tolist()"),
        ("softmax", "result[None]"),
        ("softmax", "__import__('pandas').DataFrame(result) if result.ndim == 2 else result"),
        ("softmax", "(result,)"),
        ("scaled_dot_product_attention", "{'weights': result[0], 'context': result[1]}"),
        ("worked_example", "{key: value.tolist() for key, value in result.items()}"),
    ],
)
def test_a_wrong_container_costs_the_points_of_one_test(
    graders: Graders, exercise: str, result: str
) -> None:
    report = graded(graders, answered_with(exercise, result))
    lost = {name: most - scores(report)[name] for name, most in full(report).items()}
    assert lost == {name: float(name == exercise) for name in lost}
    assert "This costs points only here" in messages(report, exercise)


TWO_GUESSES = """
asked = []
def softmax(x):
    asked.append(x.tobytes())
    is_again = asked.count(asked[0]) > 1
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    found = e / e.sum(axis=-1, keepdims=True)
    return found if is_again else (found * 2).tolist()
"""


@pytest.mark.slow
def test_an_answer_that_changes_when_it_is_asked_again_gets_no_second_try(graders: Graders) -> None:
    report = graded(graders, {"softmax": TWO_GUESSES})
    assert scores(report)["softmax"] == 0
    assert "This costs points only here" not in messages(report, "softmax")


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["str", "'m8[Y]'"])
def test_texts_and_times_are_told_as_no_numbers(graders: Graders, kind: str) -> None:
    report = graded(graders, answered_with("softmax", f"np.asarray(result).astype({kind})"))
    lost = {name for name, most in full(report).items() if scores(report)[name] < most}
    assert lost == {"softmax"}
    assert exercise_in(report, "softmax").misconceptions


@pytest.mark.slow
def test_another_mistake_in_a_wrong_container_is_paid_too(graders: Graders) -> None:
    report = graded(graders, answered_with("softmax", "(result * 2).tolist()"))
    found = exercise_in(report, "softmax")
    assert 0 < found.score < found.max_score - 1


FIRST_AXIS_IN_A_TUPLE = """
def softmax(x):
    e = np.exp(x - x.max(axis=0))
    return (e / e.sum(axis=0),)
"""


@pytest.mark.slow
def test_a_mistake_in_a_wrong_container_is_named_and_the_container_told(graders: Graders) -> None:
    found = exercise_in(graded(graders, {"softmax": FIRST_AXIS_IN_A_TUPLE}), "softmax")
    assert [mistake.tag for mistake in found.misconceptions] == ["softmax-first-axis"]
    (container,) = (test for test in found.tests if "This costs points only here" in test.message)
    assert found.unexplained == (container.name,)


MAXIMUM_IN_ONE_COLUMN = """
def softmax(x):
    e = np.exp(x - x.max(axis=-1).reshape(-1, 1))
    return e / e.sum(axis=-1).reshape(-1, 1)
"""


@pytest.mark.slow
def test_what_one_known_mistake_explains_gets_no_second_name(graders: Graders) -> None:
    """Of a vector a matrix comes back, which is repaired; three axes break off as elsewhere."""
    found = exercise_in(graded(graders, {"softmax": MAXIMUM_IN_ONE_COLUMN}), "softmax")
    tags = [mistake.tag for mistake in found.misconceptions]
    assert tags == ["softmax-axis-put-back-by-reshape"] and found.unexplained == ()
