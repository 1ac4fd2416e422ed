"""A course for which nobody chose a seed draws one of its own, once, and says where it is."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from autograder.course import Course, seeds
from autograder.course.course import SEED
from autograder.errors import CourseError
from tests.commands import environment
from tests.courses import ROOT

ASK = """
from pathlib import Path
from autograder.course import Course
print(Course.load(Path()).seed)
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A course in which no seed is chosen."""
    (tmp_path / "course.toml").write_text('id = "x"\n')
    return tmp_path


def test_this_repository_chooses_no_seed_that_everybody_could_read() -> None:
    assert Course.load(ROOT, {}).settings.seed is None
    assert f"{seeds.FILE}*" in (ROOT / ".gitignore").read_text().splitlines()


def test_the_first_who_needs_a_seed_draws_it_and_says_where_it_is(
    root: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    course = Course.load(root, {})
    assert not (root / seeds.FILE).exists()
    assert course.seed == course.seed == Course.load(root, {}).seed
    said = capfd.readouterr().err
    assert said == f"note: a seed was drawn for this course, and is kept in {root / seeds.FILE}.\n"
    assert [path.name for path in root.glob("seed*")] == [seeds.FILE]


def test_no_two_courses_draw_the_same(root: Path) -> None:
    drawn = set()
    for _ in range(5):
        drawn.add(Course.load(root, {}).seed)
        (root / seeds.FILE).unlink()
    assert len(drawn) == 5


def test_course_toml_and_the_environment_go_before_it(root: Path) -> None:
    (root / seeds.FILE).write_text("5\n")
    by_environment = Course.load(root, {SEED: "7"})
    assert (by_environment.seed, by_environment.overrides) == (
        7,
        (f"{SEED} overrides the seed in {seeds.FILE}.",),
    )
    (root / "course.toml").write_text("seed = 0\n")
    assert Course.load(root, {}).seed == 0
    assert Course.load(root, {SEED: "7"}).overrides == (
        f"{SEED} overrides the seed in course.toml.",
    )


def test_runs_that_need_it_at_once_agree(root: Path) -> None:
    command = [sys.executable, "-c", ASK]
    runs = [
        subprocess.Popen(command, cwd=root, env=environment(), stdout=subprocess.PIPE, text=True)
        for _ in range(6)
    ]
    said = {run.communicate()[0] for run in runs}
    assert said == {(root / seeds.FILE).read_text()}


@pytest.mark.parametrize("text", ["", "seven", "1 2"])
def test_a_damaged_seed_is_told_and_none_is_drawn_in_its_place(root: Path, text: str) -> None:
    (root / seeds.FILE).write_text(text)
    with pytest.raises(CourseError, match="restore it, or delete it"):
        _ = Course.load(root, {}).seed
    assert (root / seeds.FILE).read_text() == text


def test_a_seed_that_cannot_be_kept_is_not_drawn(root: Path) -> None:
    course = Course.load(root, {})
    (root / "course.toml").unlink()
    root.rmdir()
    with pytest.raises(CourseError, match="make the folder writable, or set AUTOGRADER_SEED"):
        _ = course.seed


def test_no_students_code_may_read_it(root: Path) -> None:
    assert root / seeds.FILE in Course.load(root, {}).secrets()
