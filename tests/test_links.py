"""What lies elsewhere is neither read nor written through a link in a course's folders."""

import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest

from autograder.course import Course
from autograder.errors import CourseError
from autograder.grading.submissions import read_report, save_report
from tests.commands import autograder, run
from tests.toy_class import ToyClass
from tests.toys import RIGHT, TOYS

pytestmark = pytest.mark.slow
SUBMITTED = ("submitted/ada", f"submitted/ada/{TOYS}", f"submitted/ada/{TOYS}/{TOYS}.ipynb")
REPORTS = (f"reports/{TOYS}", f"reports/{TOYS}/ada.json")
GRADED = ("autograded/ada", f"autograded/ada/{TOYS}", f"autograded/ada/{TOYS}/{TOYS}.ipynb")
PAGES = ("feedback/ada", f"feedback/ada/{TOYS}", f"feedback/ada/{TOYS}/{TOYS}.html")


def each_of(places: Sequence[str]) -> pytest.MarkDecorator:
    """A link in each place; in the first one also a link that leads nowhere.

    Where such a link stands makes no difference: the other places wait for `make exhaustive`.
    """
    late = [() if place == places[0] else pytest.mark.exhaustive for place in places]
    cases = [pytest.param(place, False, id=place) for place in places]
    cases += [
        pytest.param(place, True, id=f"{place}, dangling", marks=marks)
        for place, marks in zip(places, late, strict=True)
    ]
    return pytest.mark.parametrize(("place", "leads_nowhere"), cases)


@pytest.fixture
def course(recorded: Course, tmp_path: Path) -> Course:
    """A class that is graded and has its feedback."""
    return ToyClass.like(recorded, tmp_path).course


@pytest.fixture
def elsewhere(tmp_path: Path) -> Path:
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    return folder


def contents(folder: Path) -> dict[Path, bytes | None]:
    return {path: path.read_bytes() if path.is_file() else None for path in folder.rglob("*")}


def plant(path: Path, elsewhere: Path, *, leads_nowhere: bool) -> dict[Path, bytes | None]:
    """Move what lies at `path` elsewhere, and leave a link; return what lies there then."""
    path.rename(elsewhere / path.name)
    path.symlink_to(elsewhere / ("nowhere" if leads_nowhere else path.name))
    return contents(elsewhere)


@each_of(SUBMITTED)
def test_a_link_in_place_of_work_is_told_and_not_graded(
    course: Course, elsewhere: Path, place: str, leads_nowhere: bool
) -> None:
    graded = course.graded_path("ada", TOYS).read_bytes()
    there = plant(course.root / place, elsewhere, leads_nowhere=leads_nowhere)
    done = autograder(course.root, "grade", "--jobs", "1")
    assert "is a link: " in done.stderr + done.stdout
    assert (course.root / place).is_symlink()
    assert contents(elsewhere) == there
    assert course.graded_path("ada", TOYS).read_bytes() == graded


@each_of(REPORTS)
def test_a_link_in_place_of_reports_is_told_and_nothing_is_graded(
    course: Course, elsewhere: Path, place: str, leads_nowhere: bool
) -> None:
    report = read_report(course.report_path("ada", TOYS))
    there = plant(course.root / place, elsewhere, leads_nowhere=leads_nowhere)
    done = autograder(course.root, "grade")
    assert done.returncode == 1
    assert f"autograder: {place} is a link, and links are not followed" in done.stderr
    with pytest.raises(CourseError, match="is a link"):
        save_report(course, report)
    assert (course.root / place).is_symlink()
    assert contents(elsewhere) == there


@each_of(PAGES)
def test_a_link_in_place_of_a_page_is_told_and_everybody_else_gets_theirs(
    course: Course, elsewhere: Path, place: str, leads_nowhere: bool
) -> None:
    there = plant(course.root / place, elsewhere, leads_nowhere=leads_nowhere)
    other = course.feedback_path("blank", TOYS)
    other.unlink()
    done = autograder(course.root, "feedback")
    assert done.returncode == 1
    said = f"ada's page on {TOYS} is missing. {place} is a link, and links are not followed"
    assert said in done.stderr
    assert other.is_file()
    assert (course.root / place).is_symlink()
    assert contents(elsewhere) == there


@pytest.mark.parametrize("place", PAGES)
def test_a_page_behind_a_link_is_not_handed_back_packed_withdrawn_or_forgotten(
    course: Course, elsewhere: Path, place: str
) -> None:
    there = plant(course.root / place, elsewhere, leads_nowhere=False)
    withhold = ("withhold", TOYS, "--student", "ada", "--reason", "A question.")
    for words in (("return", "--to", "moodle"), withhold, ("person", "export", "ada")):
        done = autograder(course.root, *words)
        assert (done.returncode, words[0]) == (1, words[0])
        assert f"autograder: {place} is a link, and links are not followed" in done.stderr
    autograder(course.root, "person", "forget", "ada", "--yes")  # which may remove the link
    assert contents(elsewhere) == there


@each_of(GRADED)
def test_a_link_in_place_of_what_is_recorded_is_told_and_everybody_else_is_recorded(
    course: Course, elsewhere: Path, place: str, leads_nowhere: bool
) -> None:
    there = plant(course.root / place, elsewhere, leads_nowhere=leads_nowhere)
    for student in ("ada", "blank"):
        ToyClass(course).hand_in(student, RIGHT)
    before = course.graded_path("blank", TOYS).read_bytes()
    done = autograder(course.root, "grade", "--jobs", "1")
    said = f"ada, {TOYS}: not recorded: {place} is a link, and links are not followed"
    assert said in done.stderr
    assert course.graded_path("blank", TOYS).read_bytes() != before
    assert (course.root / place).is_symlink()
    assert contents(elsewhere) == there


@pytest.mark.parametrize("place", GRADED)
def test_a_page_is_made_of_nothing_that_lies_behind_a_link(
    course: Course, elsewhere: Path, place: str
) -> None:
    plant(course.root / place, elsewhere, leads_nowhere=False)
    before = course.feedback_path("ada", TOYS).read_bytes()
    done = autograder(course.root, "feedback")
    said = f"ada's page on {TOYS} is missing. {place} is a link, and links are not followed"
    assert said in done.stderr
    assert course.feedback_path("ada", TOYS).read_bytes() == before


@pytest.mark.exhaustive  # nbgrader's own command takes seconds
def test_nbgraders_own_autograding_leaves_out_work_behind_a_link(
    course: Course, elsewhere: Path
) -> None:
    there = plant(course.submitted / "ada" / TOYS, elsewhere, leads_nowhere=False)
    graded = {name: course.graded_path(name, TOYS).read_bytes() for name in ("ada", "blank")}
    for student in ("partly", "çağla", "hostile"):  # each takes its time
        shutil.rmtree(course.submitted / student)
    ToyClass(course).hand_in("blank", RIGHT)
    done = run(course.root, "-m", "nbgrader", "autograde", TOYS, "--force")
    assert "ada/toys was left out, because there is a link or a pipe" in done.stderr
    assert course.graded_path("ada", TOYS).read_bytes() == graded["ada"]
    assert course.graded_path("blank", TOYS).read_bytes() != graded["blank"]
    assert contents(elsewhere) == there


@pytest.mark.exhaustive  # nbgrader's own command takes seconds
def test_nbgraders_own_feedback_leaves_out_a_page_behind_a_link(
    course: Course, elsewhere: Path
) -> None:
    place = f"feedback/ada/{TOYS}"
    there = plant(course.root / place, elsewhere, leads_nowhere=False)
    other = course.feedback_path("blank", TOYS)
    other.unlink()
    done = run(course.root, "-m", "nbgrader", "generate_feedback", TOYS, "--force")
    assert f"{place} is a link, and links are not followed" in done.stderr
    assert other.is_file()
    assert (course.root / place).is_symlink()
    assert contents(elsewhere) == there


def test_where_work_comes_from_is_not_read_through_a_link(course: Course, elsewhere: Path) -> None:
    source = course.submission_path("ada", TOYS).with_name("source.json")
    source.write_text('{"platform": "canvas", "entry": "ada_101_9001_toys.ipynb"}')
    assert "feedback for 1 student" in autograder(course.root, "return", "--to", "canvas").stdout
    plant(source, elsewhere, leads_nowhere=False)
    done = autograder(course.root, "return", "--to", "canvas")
    assert "collect Canvas's zip again: ada, blank," in done.stderr


@pytest.mark.parametrize(
    ("command", "page"), [("report", f"{TOYS}.html"), ("similar", f"{TOYS}-similar.html")]
)
def test_a_page_on_the_class_takes_the_place_of_a_link(
    course: Course, elsewhere: Path, command: str, page: str
) -> None:
    for number in range(10):  # as many as it takes to compare them
        ToyClass(course).hand_in(f"s{number}", RIGHT)
    path = course.reports / page
    path.write_text("Theirs.")
    there = plant(path, elsewhere, leads_nowhere=False)
    assert autograder(course.root, command).returncode == 0
    assert (path.is_symlink(), path.is_file()) == (False, True)
    assert contents(elsewhere) == there
