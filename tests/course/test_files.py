"""An instructor's files reach the release and the folder that students' code runs in."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from autograder import gradebook
from autograder.authoring.release import release
from autograder.course import Course
from autograder.course.files import MAX_BYTES, MAX_FILES, source_files
from autograder.errors import CourseError
from autograder.grading.fingerprint import fingerprint
from autograder.grading.grader import Grader
from autograder.grading.settings import Settings
from autograder.report import Outcome
from autograder.sandbox.isolation import Isolation
from tests.conftest import offered
from tests.notebooks import filled
from tests.toy_class import ToyClass
from tests.toys import RIGHT, SCRIPT, TOYS, course_of

FILES = {"factor.txt": "2", "tables/deep/more.csv": "1,2\n"}
# The given code reads a file, as students are meant to, and each answer tries something with it.
READING = SCRIPT.replace(
    "import math\n",
    "import math\nfrom pathlib import Path\nfactor = int(Path('factor.txt').read_text())\n",
)
DOUBLE = "def double(x):\n    return factor * x"
MEDDLING = """
import os
def tried(action):
    try:
        action()
    except OSError:
        return 0
    return 1
done = tried(lambda: open("factor.txt", "w")) + tried(lambda: os.remove("factor.txt"))
done += tried(lambda: os.rename("factor.txt", "x")) + tried(lambda: os.chmod("factor.txt", 0o777))
done += tried(lambda: open("tables/new", "w")) + tried(lambda: os.listdir(SECRET))
"""
LOOKING = f"{MEDDLING}more = Path('tables/deep/more.csv').read_text()\nprint(done, factor, more)"


def with_files(course: Course) -> Course:
    for name, text in FILES.items():
        path = course.solutions / TOYS / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return course


@pytest.fixture
def course(tmp_path: Path) -> Course:
    """A course whose assignment comes with files."""
    return with_files(course_of(tmp_path, READING))


def released(course: Course) -> dict[str, bytes]:
    folder = course.release_path(TOYS).parent
    paths = [path for path in folder.rglob("*") if path.is_file()]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def test_files_are_released_beside_the_notebook_and_go_when_they_are_removed(
    course: Course,
) -> None:
    release(course, [TOYS])
    first = released(course)
    assert first.keys() == {f"{TOYS}.ipynb", *FILES}
    release(course, [TOYS])
    assert released(course) == first
    (course.solutions / TOYS / "tables" / "deep" / "more.csv").unlink()
    release(course, [TOYS])
    assert released(course).keys() == {f"{TOYS}.ipynb", "factor.txt"}


@pytest.mark.parametrize("level", [Isolation.ROOTNS, Isolation.USERNS, Isolation.LOCKDOWN])
def test_a_students_code_reads_them_where_it_runs_and_cannot_change_them(
    course: Course, level: Isolation
) -> None:
    release(course, [TOYS])
    secret = f"SECRET = {str(course.solutions)!r}\n"
    answers = RIGHT | {"double": f"{secret}{LOOKING}\n{DOUBLE}"}
    content = json.dumps(filled(course.release_path(TOYS), answers)).encode()
    with Grader(Settings(course, offered(level)), TOYS) as grader:
        for _ in range(2):  # what the first student did, the second doesn't see
            report = grader.grade(content)
            assert (report.score, report.max_score) == (9, 9), report
            output = next(cell for cell in report.cells if cell.cell == "double")
            assert output.text == "0 2 1,2\n\n", output


def test_a_students_copy_of_them_is_ignored(fresh: Course, tmp_path: Path) -> None:
    toys = ToyClass.like(fresh, tmp_path)
    with_files(toys.course)
    release(toys.course, [TOYS])
    toys.hand_in("a", RIGHT)
    folder = toys.course.submission_path("a", TOYS).parent
    (folder / "factor.txt").mkdir()
    (folder / "tables").write_text("mine")
    assert gradebook.record(toys.course, [toys.report("a", *9 * [Outcome.PASSED])]) == []
    graded = toys.course.root / "autograded" / "a" / TOYS
    assert {name: (graded / name).read_text() for name in FILES} == FILES


def test_a_changed_file_means_that_submissions_are_graded_again(course: Course) -> None:
    settings = Settings(course, Isolation.ROOTNS)
    release(course, [TOYS])
    before = fingerprint(settings, TOYS)
    (course.solutions / TOYS / "tables" / "deep" / "more.csv").write_text("3")
    assert fingerprint(settings, TOYS) == before  # students don't have it yet
    release(course, [TOYS])
    after = fingerprint(settings, TOYS)
    assert {part for part in before if before[part] != after[part]} == {"release"}


def test_a_file_that_was_not_released_is_told(course: Course) -> None:
    release(course, [TOYS])
    (course.solutions / TOYS / "new.csv").write_text("1")
    with pytest.raises(CourseError, match=r"released without new.csv: run `make release`"):
        fingerprint(Settings(course, Isolation.ROOTNS), TOYS)


def test_what_cannot_be_given_is_told_and_nothing_is_released(course: Course) -> None:
    folder = course.solutions / TOYS
    (folder / ".DS_Store").write_text("hidden files are left out")
    assert source_files(course, TOYS).keys() == FILES.keys()
    (folder / "large").touch()
    os.truncate(folder / "large", MAX_BYTES)
    with pytest.raises(CourseError, match=r"3 files of 20\.0 MB: keep it to 100 files of 20 MB"):
        release(course, [TOYS])
    os.truncate(folder / "large", 0)
    (folder / "link").symlink_to("/etc/passwd")
    with pytest.raises(CourseError, match="toys/link can't be given to students"):
        release(course, [TOYS])
    (folder / "link").unlink()
    for number in range(MAX_FILES):
        (folder / str(number)).touch()
    with pytest.raises(CourseError, match="103 files"):
        release(course, [TOYS])
    assert not course.release_path(TOYS).exists()
