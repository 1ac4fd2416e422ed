"""A broken hidden test in a class of six: loud to the instructor, no harm to the students."""

import subprocess

import pytest
from bs4 import BeautifulSoup

from autograder.course import Course
from autograder.gradebook.marks import read_marks
from autograder.grading.submissions import load_report
from tests import commands
from tests.gradebook.books import comment, give, grades, text_of
from tests.toy_class import ToyClass
from tests.toys import RIGHT, TOYS, WRONG

pytestmark = pytest.mark.slow

STUDENTS = [f"s{number:02}" for number in range(6)]
BROKEN = "np.arrray"


def autograder(course: Course, *arguments: str) -> subprocess.CompletedProcess[str]:
    return commands.autograder(course.root, *arguments, COLUMNS="120")


@pytest.fixture(scope="module")
def class_(fresh: Course, tmp_path_factory: pytest.TempPathFactory) -> ToyClass:
    """A class in which every other answer is wrong, and a hidden test is mistyped."""
    toys = ToyClass.like(fresh, tmp_path_factory.mktemp("broken"))
    for number, student in enumerate(STUDENTS):
        toys.hand_in(student, (WRONG if number % 2 else RIGHT) | {"why": "Because."})
    mistype(toys, "np.array", BROKEN)
    return toys


def mistype(toys: ToyClass, right: str, wrong: str) -> None:
    path = toys.course.exercises / TOYS / "hidden_tests" / "test_double.py"
    path.write_text(path.read_text().replace(f"{right}([4.0])", f"{wrong}([4.0])", 1))


def texts(course: Course, student: str) -> dict[str, str]:
    """All that a student can read."""
    checked = autograder(course, "check", str(course.submission_path(student, TOYS)))
    return {
        "feedback": text_of(course.feedback_path(student, TOYS)),
        "comment": comment(course, student, "double") or "",
        "check": checked.stdout + checked.stderr,
    }


def test_a_broken_hidden_test_is_loud_and_costs_nobody_anything(class_: ToyClass) -> None:
    course = class_.course
    done = autograder(course, "grade", "--jobs", "2")
    assert done.returncode == 1
    rows = [line for line in done.stdout.splitlines() if line.strip("│ ").startswith("s")]
    assert len(rows) == len(STUDENTS)
    assert all("/5 !" in row and "4/4 ✓" in row and "/2 …" in row for row in rows)
    banner = " ".join(done.stderr.split())
    assert "The hidden test test_two_becomes_four of toys could not be run" in banner
    assert "`double` is not graded yet for 6 students" in banner
    assert "AttributeError: module 'numpy' has no attribute 'arrray'" in banner
    assert done.stderr.count("FAULT OF THE GRADER") == 1

    report = load_report(course, "s00", TOYS)
    assert report is not None
    assert (report.score, report.max_score, report.exercises[0].outcome) == (4, 4, "GRADER_ERROR")
    assert BROKEN in report.exercises[0].tests[0].fault

    autograder(course, "feedback")
    told = {student: texts(course, student) for student in STUDENTS[:2]}
    for student in told:
        for where, text in told[student].items():
            assert "not graded yet" in text.lower(), where
            for hidden in ("Grader fault", "GRADER", "Traceback", "arrray", "AttributeError"):
                assert hidden not in text, where
    standing = "You have all 4 points so far; 7 more aren't graded yet."
    assert standing in told["s00"]["feedback"]

    autograder(course, "report")
    page = BeautifulSoup((course.reports / f"{TOYS}.html").read_text(), "html.parser")
    assert page.body is not None
    _, _, first, *_ = page.body.get_text("\n", strip=True).splitlines()  # below two headings
    assert first.startswith("! The hidden test test_two_becomes_four of toys could not be run")
    assert page.get_text().count("not graded yet") > 2 * len(STUDENTS)  # two for each student

    for marks in read_marks(course, [TOYS]):
        assert (marks.score, marks.max_score) == (4, 4)
        assert marks.not_graded == ("double", "why")
    assert grades(course, "s00")["double_test"] == (None, True)

    give(course, "s01", "why", 2)
    mistype(class_, BROKEN, "np.array")
    done = autograder(course, "grade", "--jobs", "2")
    assert (done.returncode, "FAULT" in done.stderr) == (0, False), done.stderr
    totals = {each.student: (each.score, each.max_score) for each in (read_marks(course, [TOYS]))}
    assert totals == {
        student: (6 if number % 2 else 9, 9) for number, student in enumerate(STUDENTS)
    } | {"s01": (8, 11)}
