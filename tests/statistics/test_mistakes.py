"""An example of a misconception shows what was graded, and not who wrote it."""

import pytest

from autograder.report import Misconception, Outcome, Report
from autograder.statistics.mistakes import MAX_LINES, SharedMistake, anonymous, examples_of
from tests.toy_class import ToyClass
from tests.toys import TOYS

CODE = '''\
def double(x):
    """By Ada."""
    # ada@example.org
    ada = x * 3  # mine, ada
    return "<b>" + ada
'''


def held(report: Report, *tags: str) -> Report:
    """The same report, with misconceptions in its first exercise."""
    first, *others = report.exercises
    found = tuple(Misconception(tag=tag, message="") for tag in tags)
    first = first.model_copy(update={"misconceptions": found})
    return report.model_copy(update={"exercises": (first, *others)})


def snippet(toys: ToyClass, *reports: Report) -> str:
    students = tuple(report.student for report in reports)
    mistake = SharedMistake("double", "thrice", "", students, len(reports))
    return examples_of(toys.course, TOYS, reports, [mistake])["double", "thrice"]


def report_of(toys: ToyClass, student: str, code: str, *tags: str) -> Report:
    toys.hand_in(student, {"double": code})
    return held(toys.report(student, *9 * [Outcome.FAILED]), "thrice", *tags)


def test_it_holds_no_comment_no_docstring_and_no_id() -> None:
    assert (
        anonymous(CODE, "ada") == 'def double(x):\n    someone = x * 3\n    return "<b>" + someone'
    )


def test_an_id_within_a_word_stays() -> None:
    assert anonymous("x = max(a, b)", "a") == "x = max(someone, b)"


def test_characters_that_could_disguise_code_are_left_out() -> None:
    assert anonymous("x\u202e = 1\x1b[0m", "ada") == "x = 1[0m"


@pytest.mark.slow
def test_it_is_highlighted_code_of_a_student_who_holds_the_fewest_others(toys: ToyClass) -> None:
    many = report_of(toys, "bo", "def double(x):\n    return 77", "other")
    html = snippet(toys, many, report_of(toys, "ada", CODE))
    assert '<span class="k">def</span>' in html
    assert "&lt;b&gt;" in html
    assert "77" not in html


@pytest.mark.slow
def test_what_was_handed_in_since_is_no_example(toys: ToyClass) -> None:
    old = report_of(toys, "ada", CODE)
    toys.hand_in("ada", {"double": "def double(x):\n    return 99"})
    assert snippet(toys, old) == ""
    other = report_of(toys, "bo", "def double(x):\n    return 77")
    assert "77" in snippet(toys, old, other)


@pytest.mark.slow
def test_it_is_cut(toys: ToyClass) -> None:
    long = "def double(x):\n" + "".join(f"    x{n} = {n}\n" for n in range(200))
    html = snippet(toys, report_of(toys, "ada", long))
    assert "The rest is left out" in html
    assert html.count("\n") < MAX_LINES + 5
