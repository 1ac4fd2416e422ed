"""Copies are found names and order aside; what most write makes nobody similar.

Own names, comments and layout make no difference, and what is given is nobody's own.
"""

import random

import pytest

from autograder.errors import CourseError
from autograder.statistics.similar import (
    MIN_CLASS,
    Author,
    ComparedAnswer,
    ComparedClass,
    imported,
    marked,
    passages_in,
    tokens_of,
)
from tests.statistics.planted import COPIES, disguised, figures

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


def author(name: str, *codes: str) -> Author:
    answers = {
        f"f{n}": ComparedAnswer(code, passages_in(tokens_of(code, {"np", "math"})))
        for n, code in enumerate(codes)
    }
    return Author(name, answers)


def different(number: int) -> str:
    """An answer that nobody else wrote."""
    return "\n".join(f"v = np.f{number}_{n}(x) + np.g{number}(x)" for n in range(6))


def honest(number: int) -> list[Author]:
    return [author(f"s{n:02}", different(n)) for n in range(number)]


def test_a_copy_with_other_names_and_order_is_found() -> None:
    copy = disguised(OWN, random.Random(0))
    assert copy != OWN
    (pair,) = ComparedClass([*honest(20), author("ada", OWN), author("bo", copy)]).pairs()
    assert pair.names == ("ada", "bo")
    assert pair.share > 0.75
    (shared,) = pair.exercises
    assert shared.codes == (OWN, copy)
    assert {3, 4, 5} <= shared.lines[0]


def padded(code: str, number: int) -> str:
    """Code behind more than 20,000 characters that do nothing, and that nobody else wrote."""
    rng = random.Random(number)
    terms = (f"{rng.random()} * {rng.random()} - x.f{rng.randrange(9)}" for _ in range(600))
    return "\n".join([f"unused = {term}" for term in terms] + [code])


@pytest.mark.parametrize("which", [{"ada"}, {"bo"}, {"ada", "bo"}])
def test_a_copy_is_found_however_much_stands_before_it(which: set[str]) -> None:
    codes = {"ada": OWN, "bo": disguised(OWN, random.Random(0))}
    for number, name in enumerate(which):
        codes[name] = padded(codes[name], number)
        assert len(codes[name]) > 20_000
    pair = [author(name, code) for name, code in codes.items()]
    (found,) = ComparedClass([*honest(20), *pair]).pairs()
    assert set(found.names) == {"ada", "bo"}
    if len(which) == 1:  # what two pad with is alike, too
        html = marked(codes["ada"], found.exercises[0].lines[0])
        assert '<mark class="shared">    rows = x.reshape' in html


def test_what_pads_an_answer_makes_no_two_similar() -> None:
    authors = [author(f"p{n}", padded(USUAL, n)) for n in range(5)]
    assert ComparedClass([*honest(20), *authors]).pairs() == []


def test_the_usual_answer_makes_nobody_similar() -> None:
    usual = [author(f"u{n}", USUAL) for n in range(15)]
    assert ComparedClass([*honest(20), *usual]).pairs() == []


def test_two_who_share_one_long_exercise_and_differ_in_the_others_are_not_flagged() -> None:
    def with_others(name: str, number: int, first: str) -> Author:
        return author(name, first, different(100 + number), different(200 + number))

    class_ = [with_others(f"s{n}", n, different(n)) for n in range(20)]
    pair = [with_others("ada", 50, 6 * OWN), with_others("bo", 60, 6 * OWN)]
    assert ComparedClass([*class_, *pair]).pairs() == []


def test_a_reference_is_compared_with_everybody() -> None:
    compared = ComparedClass([*honest(20), author("ada", OWN)])
    (pair,) = compared.pairs_with([author("web.py", disguised(OWN, random.Random(1)))])
    assert pair.names == ("ada", "web.py")
    assert compared.pairs_with([author("usual.py", USUAL)]) == []


def test_blank_answers_are_not_similar() -> None:
    assert ComparedClass([author(f"s{n}", "") for n in range(20)]).pairs() == []


def test_a_few_submissions_do_not_show_what_is_usual() -> None:
    with pytest.raises(CourseError, match=f"need {MIN_CLASS} submissions"):
        ComparedClass(honest(MIN_CLASS - 1))


@pytest.mark.slow
@pytest.mark.parametrize("assignment", ["hw1_attention", "hw4_efficient_attention"])
def test_planted_pairs_among_60_are_found_and_hardly_any_other(assignment: str) -> None:
    """`python -m tests.statistics.planted` has the figures of all assignments."""
    found = [figures(assignment, seed) for seed in range(4)]
    assert sum(each.found for each in found) >= 0.85 * 4 * COPIES
    assert sum(each.false for each in found) <= 1


CODE = '''\
def double(x):
    """Twice x."""
    total = np.sum(x) + len(x)  # mine
    return total * 2
'''
RENAMED = """\
def double(values):
    s = np.sum(values) + len(values)

    return s * 2
"""


def passages(code: str) -> set[tuple[str, ...]]:
    return set(passages_in(tokens_of(code, {"np"})))


def test_other_names_comments_and_layout_are_the_same_passages() -> None:
    assert passages(CODE) == passages(RENAMED)


def test_what_is_called_and_computed_makes_a_difference() -> None:
    for old, new in (("np.sum", "np.prod"), ("len", "max"), ("* 2", "* 3"), ("+", "-")):
        assert passages(CODE) != passages(CODE.replace(old, new))


def test_what_is_given_is_nobodys_own() -> None:
    stub = passages("def double(x):\n    raise NotImplementedError()")
    mine = passages_in(tokens_of(CODE, {"np"}), stub)
    assert ("def", "name", "(", "name") in passages(CODE)
    assert ("def", "name", "(", "name") not in mine


def test_a_passage_knows_its_lines() -> None:
    found = ComparedAnswer(CODE, passages_in(tokens_of(CODE, {"np"})))
    assert found.lines_of([("np", ".", "sum", "(")]) == {3}
    assert found.lines_of([("name", ")", "return", "name")]) == {3, 4}


def test_imported_names_are_known() -> None:
    assert imported(["import numpy as np\nimport os.path", "from torch import nn, optim as o"]) == {
        *("np", "os", "nn", "o")
    }
