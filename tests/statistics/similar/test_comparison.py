"""Copies are found whatever their names and order; what most write makes nobody similar."""

from __future__ import annotations

import random

import pytest

from autograder.errors import CourseError
from autograder.statistics.similar.answers import Answer, Work
from autograder.statistics.similar.comparison import MIN_CLASS, Class
from autograder.statistics.similar.passages import Passages, tokens_of
from tests.statistics.similar.planted import COPIES, disguised, figures

USUAL = """\
def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)
"""
OWN = """\
def softmax(x):
    shape, size = x.shape, x.shape[-1]
    rows = x.reshape(-1, size).tolist()
    done = [[math.exp(a - max(row)) for a in row] for row in rows]
    return np.array([[a / math.fsum(row) for a in row] for row in done]).reshape(shape)
"""


def work(name: str, *codes: str) -> Work:
    answers = {
        f"f{n}": Answer(code, Passages.of(tokens_of(code, {"np", "math"})))
        for n, code in enumerate(codes)
    }
    return Work(name, answers)


def different(number: int) -> str:
    """An answer that nobody else wrote."""
    return "\n".join(f"v = np.f{number}_{n}(x) + np.g{number}(x)" for n in range(6))


def honest(number: int) -> list[Work]:
    return [work(f"s{n:02}", different(n)) for n in range(number)]


def test_a_copy_with_other_names_and_order_is_found() -> None:
    copy = disguised(OWN, random.Random(0))
    assert copy != OWN
    (pair,) = Class([*honest(20), work("ada", OWN), work("bo", copy)]).pairs()
    assert pair.names == ("ada", "bo")
    assert pair.share > 0.75
    (shared,) = pair.exercises
    assert shared.codes == (OWN, copy)
    assert {3, 4, 5} <= shared.lines[0]


def test_the_usual_answer_makes_nobody_similar() -> None:
    usual = [work(f"u{n}", USUAL) for n in range(15)]
    assert Class([*honest(20), *usual]).pairs() == []


def test_whoever_shares_one_long_exercise_and_differs_in_the_others_is_not_flagged() -> None:
    def with_others(name: str, number: int, first: str) -> Work:
        return work(name, first, different(100 + number), different(200 + number))

    class_ = [with_others(f"s{n}", n, different(n)) for n in range(20)]
    pair = [with_others("ada", 50, 6 * OWN), with_others("bo", 60, 6 * OWN)]
    assert Class([*class_, *pair]).pairs() == []


def test_a_reference_is_compared_with_everybody() -> None:
    compared = Class([*honest(20), work("ada", OWN)])
    (pair,) = compared.pairs_with([work("web.py", disguised(OWN, random.Random(1)))])
    assert pair.names == ("ada", "web.py")
    assert compared.pairs_with([work("usual.py", USUAL)]) == []


def test_blank_answers_are_not_similar() -> None:
    assert Class([work(f"s{n}", "") for n in range(20)]).pairs() == []


def test_a_few_submissions_do_not_show_what_is_usual() -> None:
    with pytest.raises(CourseError, match=f"need {MIN_CLASS} submissions"):
        Class(honest(MIN_CLASS - 1))


@pytest.mark.slow
@pytest.mark.parametrize("assignment", ["hw1_attention", "hw4_efficient_attention"])
def test_planted_pairs_among_60_are_found_and_hardly_any_other(assignment: str) -> None:
    """`python -m tests.statistics.similar` has the figures of all assignments."""
    found = [figures(assignment, seed) for seed in range(4)]
    assert sum(each.found for each in found) >= 0.85 * 4 * COPIES
    assert sum(each.false for each in found) <= 1
