"""What stands in nbgrader's gradebook, and on pages that are made of it."""

from pathlib import Path

from bs4 import BeautifulSoup
from nbgrader.api import Gradebook

from autograder.course import Course
from autograder.gradebook import configuration
from autograder.gradebook.recording import record
from autograder.report import Outcome
from tests.toy_class import ToyClass
from tests.toys import RIGHT, TOYS


def book_of(course: Course) -> Gradebook:
    return Gradebook(configuration.url(course))


def grades(course: Course, student: str) -> dict[str, tuple[float | None, bool]]:
    """The automatic score of each graded cell, and whether a person has to look."""
    with book_of(course) as book:
        notebook = book.find_submission_notebook(TOYS, TOYS, student)
        return {
            grade.name: (grade.auto_score, grade.needs_manual_grade) for grade in notebook.grades
        }


def comment(course: Course, student: str, cell: str) -> str | None:
    with book_of(course) as book:
        text: str | None = book.find_comment(cell, TOYS, TOYS, student).comment
        return text


def penalty(course: Course) -> float | None:
    with book_of(course) as book:
        found: float | None = book.find_submission_notebook(
            "toys", "toys", "a"
        ).late_submission_penalty
        return found


def text_of(page: Path) -> str:
    """What a page says."""
    return BeautifulSoup(page.read_text(), "html.parser").get_text(" ", strip=True)


def recorded_at(course: Course) -> int:
    path = course.root / "autograded" / "a" / "toys" / "toys.ipynb"
    return path.stat().st_mtime_ns


def give(
    course: Course, student: str, cell: str, points: float | None, extra: float | None = None
) -> None:
    """Give points as the formgrader does when a person fills them in, or takes them back."""
    with book_of(course) as book:
        grade = book.find_grade(cell, TOYS, TOYS, student)
        grade.manual_score, grade.extra_credit = points, extra
        grade.needs_manual_grade = points is None and grade.auto_score is None
        book.db.commit()


def grade(toys: ToyClass, student: str, *outcomes: Outcome, **answers: str) -> None:
    """Hand in what is right but for these answers, and record these outcomes."""
    toys.hand_in(student, RIGHT | answers)
    assert record(toys.course, [toys.report(student, *outcomes)]) == []
