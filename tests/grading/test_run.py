"""A class is graded side by side; a file that is no submission gets a line and harms no other."""

import json
import subprocess
import sys
from collections.abc import Iterator
from functools import partial

import pytest

from autograder.course import Course
from autograder.errors import CourseError
from autograder.grading.run import grade_class
from autograder.grading.settings import Settings
from autograder.grading.submissions import Graded, find_submissions
from autograder.report import Report
from autograder.sandbox.host.probe import strongest
from autograder.work.processes import local_workers
from tests.courses import KIT, copy_of_kit, solved
from tests.executors import beside
from tests.notebooks import code, filled, notebook

HW1 = "hw1_attention"


@pytest.fixture(scope="module")
def school(tmp_path_factory: pytest.TempPathFactory) -> Course:
    """A course of its own with the released assignments."""
    return copy_of_kit(tmp_path_factory.mktemp("school"))


def hand_in(school: Course, student: str, raw: bytes, name: str = f"{HW1}.ipynb") -> None:
    folder = school.submission_path(student, HW1).parent
    folder.mkdir(parents=True)
    (folder / name).write_bytes(raw)


@pytest.fixture(scope="module")
def results(school: Course) -> dict[str, Graded]:
    """What became of a class of honest, blank and broken files, by student."""
    blank = school.release_path(HW1).read_bytes()
    right = filled(school.release_path(HW1), solved(KIT, HW1))
    raw = json.dumps(right).encode()
    other_kernel = right | {"metadata": {"kernelspec": {"name": "ir", "display_name": "R"}}}
    files = {
        "solved": raw,
        "日本-ñ": raw,
        "blank": blank,
        "windows": b"\xef\xbb\xbf" + json.dumps(right, indent=1).replace("\n", "\r\n").encode(),
        "kernel": json.dumps(other_kernel).encode(),
        "picture": b"\x89PNG\r\n\x1a\n",
        "empty": b"",
        "huge": raw + b" " * (50 << 20),
        "biology": notebook(code("mitosis()", "mitosis", solution=True)),
    }
    for student, content in files.items():
        hand_in(school, student, content)
    hand_in(school, "renamed", raw, "my homework.ipynb")
    hand_in(school, "odd", raw, "\x1b[31m\n.ipynb")
    return {each.job.student: each for each in graded(school)}


def graded(
    school: Course, student: str | None = None, *, seed: int = 0, force: bool = False
) -> list[Graded]:
    """Grade a class side by side, or one student in a process that keeps its grader."""
    jobs = find_submissions(school, [HW1], student)
    settings = Settings(school.with_seed(seed), strongest())
    open_workers = beside if student else partial(local_workers, 2)
    return list(grade_class(settings, jobs, open_workers, force=force))


@pytest.mark.slow
@pytest.mark.parametrize("student", ["solved", "日本-ñ", "windows", "kernel"])
def test_a_solved_notebook_gets_full_marks_whatever_its_wrapping(
    results: dict[str, Graded], student: str
) -> None:
    report = results[student].report
    assert report is not None
    assert report.score == report.max_score > 0


@pytest.mark.parametrize(
    ("student", "sentence"),
    [
        ("odd", r"rename \x1b[31m\n.ipynb."),
        ("picture", "isn't a notebook"),
        ("empty", "is empty"),
        ("huge", "clear its outputs"),
        ("biology", "isn't the notebook of hw1_attention"),
        ("renamed", "rename my homework.ipynb"),
    ],
)
def test_a_file_that_is_no_submission_gets_one_line(
    results: dict[str, Graded], student: str, sentence: str
) -> None:
    assert results[student].report is None
    assert sentence in results[student].rejection
    assert "\n" not in results[student].rejection


@pytest.mark.usefixtures("results")
def test_every_report_is_on_file_and_says_how_the_code_was_confined(school: Course) -> None:
    report = Report.model_validate_json(school.report_path("日本-ñ", HW1).read_bytes())
    assert (report.student, report.isolation) == ("日本-ñ", strongest())
    assert not school.report_path("picture", HW1).exists()


def test_nothing_to_grade_says_where_notebooks_belong(school: Course) -> None:
    with pytest.raises(CourseError, match=r"put notebooks at .*nobody"):
        find_submissions(school, [HW1], "nobody")


@pytest.mark.slow
def test_the_same_class_gives_the_same_reports(school: Course, results: dict[str, Graded]) -> None:
    before = school.report_path("solved", HW1).read_bytes()
    graded(school, "solved", force=True)
    assert school.report_path("solved", HW1).read_bytes() == before


@pytest.fixture
def doctored(school: Course, results: dict[str, Graded]) -> Iterator[Report]:
    """The report on a solved notebook, changed on file: who grades again changes it back."""
    path = school.report_path("solved", HW1)
    before = path.read_text()
    doctored = Report.model_validate_json(before).model_copy(update={"score": -1.0})
    path.write_text(doctored.to_json())
    yield doctored
    path.write_text(before)


@pytest.mark.slow
def test_force_grades_again(school: Course, doctored: Report) -> None:
    (again,) = graded(school, "solved", force=True)
    assert again.report is not None
    assert again.report.score == again.report.max_score


@pytest.mark.slow
@pytest.mark.parametrize("text", ["half", "no UTF-8", "another student's"])
def test_a_damaged_report_is_made_again(school: Course, doctored: Report, text: str) -> None:
    other = doctored.model_copy(update={"student": "blank"}).to_json()
    damaged = {
        "half": other[:100].encode(),
        "no UTF-8": b"\xff\xfe{",
        "another student's": other.encode(),
    }
    school.report_path("solved", HW1).write_bytes(damaged[text])
    (again,) = graded(school, "solved")
    assert again.report is not None
    assert again.report.score == again.report.max_score


@pytest.mark.slow
def test_who_only_hands_out_the_work_imports_no_grader() -> None:
    """It would take half a second, in each command that shows what was found."""
    script = (
        "import sys, autograder.grading.run, autograder.gradebook.recording\n"
        "print({'autograder.grading.grader', 'numpy', 'pytest'} & set(sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout == "set()\n"
