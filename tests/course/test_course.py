"""A course is found, the environment overrides its `course.toml`, and it draws its own seed."""

import subprocess
import sys
from pathlib import Path

import pytest

from autograder.course import Course
from autograder.course.course import SEED, SEED_FILE
from autograder.errors import CourseError
from tests.commands import environment
from tests.courses import ROOT
from tests.toys import course_of

BOOK = "postgresql://grader@db/grades"
ASK = """
from pathlib import Path
from autograder.course import Course
print(Course.load(Path()).seed)
"""


def test_a_course_is_found_from_any_folder_in_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    course = course_of(tmp_path)
    monkeypatch.chdir(course.solutions)
    assert Course.find().root == tmp_path


def test_of_a_course_within_another_the_nearest_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    course_of(tmp_path)
    inner = tmp_path / "examples" / "inner"
    inner.mkdir(parents=True)
    course_of(inner)
    monkeypatch.chdir(inner)
    assert Course.find().root == inner


def test_outside_a_course_one_sentence_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(CourseError, match=r"There is no course\.toml here or above: change into"):
        Course.find()


def test_the_environment_overrides_seed_and_gradebook_and_says_so(tmp_path: Path) -> None:
    course_of(tmp_path, settings="seed = 7")
    course = Course.load(tmp_path, {"AUTOGRADER_SEED": "3", "AUTOGRADER_DB_URL": BOOK})
    assert (course.seed, course.database) == (3, BOOK)
    assert course.overrides == (
        "AUTOGRADER_SEED overrides the seed in course.toml.",
        "AUTOGRADER_DB_URL overrides the database in course.toml.",
    )


def test_what_the_environment_says_alike_is_not_announced(tmp_path: Path) -> None:
    course_of(tmp_path, settings="seed = 7")
    assert Course.load(tmp_path, {"AUTOGRADER_SEED": "7"}).overrides == ()


def test_a_seed_in_the_environment_that_is_no_number_is_named(tmp_path: Path) -> None:
    course_of(tmp_path)
    with pytest.raises(CourseError, match=r"^AUTOGRADER_SEED is 'x': give a whole number\.$"):
        Course.load(tmp_path, {"AUTOGRADER_SEED": "x"})


def test_a_gradebook_file_lies_in_the_courses_folder(tmp_path: Path) -> None:
    assert course_of(tmp_path).database == f"sqlite:///{tmp_path}/gradebook.db?timeout=60"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A course in which no seed is chosen."""
    (tmp_path / "course.toml").write_text('id = "x"\n')
    return tmp_path


def test_this_repository_chooses_no_seed_that_everybody_could_read() -> None:
    assert Course.load(ROOT, {}).settings.seed is None
    assert f"{SEED_FILE}*" in (ROOT / ".gitignore").read_text().splitlines()


def test_who_needs_a_seed_first_draws_it_and_says_so(
    root: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    course = Course.load(root, {})
    assert not (root / SEED_FILE).exists()
    assert course.seed == course.seed == Course.load(root, {}).seed
    said = capfd.readouterr().err
    assert said == f"note: a seed was drawn for this course, and is kept in {root / SEED_FILE}.\n"
    assert [path.name for path in root.glob("seed*")] == [SEED_FILE]


def test_no_two_courses_draw_the_same(root: Path) -> None:
    drawn = set()
    for _ in range(5):
        drawn.add(Course.load(root, {}).seed)
        (root / SEED_FILE).unlink()
    assert len(drawn) == 5


def test_course_toml_and_the_environment_go_before_it(root: Path) -> None:
    (root / SEED_FILE).write_text("5\n")
    by_environment = Course.load(root, {SEED: "7"})
    assert (by_environment.seed, by_environment.overrides) == (
        7,
        (f"{SEED} overrides the seed in {SEED_FILE}.",),
    )
    (root / "course.toml").write_text("seed = 0\n")
    assert Course.load(root, {}).seed == 0
    assert Course.load(root, {SEED: "7"}).overrides == (
        f"{SEED} overrides the seed in course.toml.",
    )


@pytest.mark.slow
def test_runs_that_need_it_at_once_agree(root: Path) -> None:
    command = [sys.executable, "-c", ASK]
    runs = [
        subprocess.Popen(command, cwd=root, env=environment(), stdout=subprocess.PIPE, text=True)
        for _ in range(6)
    ]
    said = {run.communicate()[0] for run in runs}
    assert said == {(root / SEED_FILE).read_text()}


@pytest.mark.parametrize("text", ["", "seven", "1 2"])
def test_a_damaged_seed_is_told_and_none_is_drawn_in_its_place(root: Path, text: str) -> None:
    (root / SEED_FILE).write_text(text)
    with pytest.raises(CourseError, match="restore it, or delete it"):
        _ = Course.load(root, {}).seed
    assert (root / SEED_FILE).read_text() == text


def test_a_seed_that_cannot_be_kept_is_not_drawn(root: Path) -> None:
    course = Course.load(root, {})
    (root / "course.toml").unlink()
    root.rmdir()
    with pytest.raises(CourseError, match="make the folder writable, or set AUTOGRADER_SEED"):
        _ = course.seed


def test_no_students_code_may_read_it(root: Path) -> None:
    secrets = Course.load(root, {}).secrets()
    assert {root / name for name in (SEED_FILE, "cluster.pem", ".demo")} <= set(secrets)
