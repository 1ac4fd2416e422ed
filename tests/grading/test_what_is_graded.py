"""Which exercises and which hidden tests count, and how much, is for the instructor to say."""

import json

import pytest

from autograder.authoring.release import release
from autograder.course import Course
from autograder.grading.grader import Grader
from autograder.grading.settings import Settings
from autograder.report import Outcome, Report
from autograder.sandbox.host.probe import strongest
from autograder.telling.record import NOT_WRITTEN, summary_of
from tests.graders import full, hand_in, scores
from tests.toy_class import ToyClass
from tests.toys import RIGHT, TOYS, WRONG, with_settings

OVERSIZED = '''

@points(1)
def test_first_of_all_too_much_is_asked(student):
    """Too much is asked."""
    student.double(np.zeros(9 << 20))
'''


def graded(course: Course, answers: dict[str, str], skip_slow: bool = False) -> Report:
    with Grader(Settings(course, strongest(), skip_slow=skip_slow), TOYS) as grader:
        return hand_in(grader, answers)


@pytest.mark.slow
def test_an_exercise_that_has_only_slow_tests_is_left_out_when_they_are_and_that_is_said(
    toys: ToyClass,
) -> None:
    path = toys.course.exercises / TOYS / "hidden_tests" / "test_Counter.py"
    text = path.read_text().replace("import points", "import points, seconds")
    path.write_text(text.replace("@points(1)", "@points(1)\n@seconds(60)"))
    report = graded(toys.course, RIGHT, skip_slow=True)
    assert full(report) == {"double": 5}
    assert report.warnings == (
        "`Counter` was not graded: all of its hidden tests are slow, and those were skipped.",
    )
    assert full(graded(toys.course, RIGHT)) == {"double": 5, "Counter": 4}


def test_factors_scale_what_hidden_tests_are_worth(toys: ToyClass) -> None:
    course = with_settings(toys.course.root, "[assignments.toys]\npoints = { double = 0.5 }")
    report = graded(course, WRONG)
    assert full(report) == {"double": 2.5, "Counter": 4}
    assert scores(report) == {"double": 1, "Counter": 4}  # of 5 laws, twice 2 and twice 0 hold
    assert (report.score, report.max_score) == (5, 6.5)


@pytest.mark.slow
@pytest.mark.parametrize("left_out", ["double", "Counter"])
def test_an_exercise_that_is_left_out_is_gone_from_the_release_and_from_the_report(
    toys: ToyClass, left_out: str
) -> None:
    text = f'[assignments.toys]\nleft_out = ["{left_out}"]'
    # a written answer may count no more than a fifth of what is left
    path = toys.course.solutions / "toys.py"
    path.write_text(path.read_text().replace("points=2", "points=1"))
    course = with_settings(toys.course.root, text)
    release(course, [TOYS])
    cells = json.loads(course.release_path(TOYS).read_text())["cells"]
    kept = {"double": 5.0, "Counter": 4.0}
    kept.pop(left_out)
    assert not {left_out, f"{left_out}_test"} & {cell["id"] for cell in cells}
    assert f"# Toys, {sum(kept.values()) + 1:g} points" in "".join(cells[0]["source"])
    report = graded(course, RIGHT)
    assert full(report) == scores(report) == kept
    assert report.max_score == sum(kept.values())


def test_a_hidden_test_that_asks_too_much_harms_no_other_test(toys: ToyClass) -> None:
    path = toys.course.exercises / TOYS / "hidden_tests" / "test_double.py"
    path.write_text(path.read_text().replace("\n\n\n@points(1)", f"{OVERSIZED}\n\n@points(1)", 1))
    first, *others = graded(toys.course, RIGHT).exercises[0].tests
    assert (first.outcome, first.score) == (Outcome.GRADER_ERROR, 1)
    assert {test.outcome for test in others} == {Outcome.PASSED}


def test_a_name_that_a_hidden_test_mistypes_harms_nobody_and_is_told(toys: ToyClass) -> None:
    path = toys.course.exercises / TOYS / "hidden_tests" / "test_double.py"
    path.write_text(path.read_text().replace("student.double", "student.duoble", 1))
    first, *others = graded(toys.course, RIGHT).exercises[0].tests
    assert (first.outcome, first.score) == (Outcome.GRADER_ERROR, 1)
    assert "calls `duoble`, which the solution doesn't have" in first.fault
    assert {test.outcome for test in others} == {Outcome.PASSED}


def test_a_written_answer_in_whose_cell_nothing_stands_is_called_blank(toys: ToyClass) -> None:
    blank, written = (graded(toys.course, RIGHT | more) for more in ({}, {"why": "Because."}))
    assert [answer.is_blank for answer in blank.manual] == [True]
    assert [answer.is_blank for answer in written.manual] == [False]
    (card,) = (each for each in summary_of(blank).cards if each.name == "why")
    assert (card.score, card.notes) == (None, (NOT_WRITTEN,))
