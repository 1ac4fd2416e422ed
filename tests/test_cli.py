"""The command line, as a person meets it: what it prints, and its exit status."""

from __future__ import annotations

import subprocess

import pytest

from tests.commands import run
from tests.toy_class import ToyClass
from tests.toys import RIGHT, TOYS

pytestmark = pytest.mark.slow  # each command is a program of its own


@pytest.fixture
def class_(toys: ToyClass) -> ToyClass:
    """A class of two, of whom bo's submission nbgrader can't take."""
    for student in ("ada", "bo"):
        toys.hand_in(student, RIGHT)
    toys.course.submission_path("bo", TOYS).with_name("timestamp.txt").write_text("yesterday")
    return toys


def autograder(
    class_: ToyClass, *arguments: str, **environment: str
) -> subprocess.CompletedProcess[str]:
    return run(class_.course.root, "-m", "autograder", *arguments, **environment)


def test_a_submission_that_cannot_be_recorded_hides_nobodys_grade_and_is_told(
    class_: ToyClass,
) -> None:
    done = autograder(class_, "grade", "--jobs", "1")
    assert done.returncode == 1
    rows = [line.split() for line in done.stdout.splitlines()]
    assert {row[1]: row[-2] for row in rows if "5/5" in row} == {"ada": "9/11", "bo": "9/9"}
    assert "bo, toys: not recorded: Its timestamp.txt contains no valid time" in done.stderr
    assert "Traceback" not in done.stderr


def test_what_overrides_course_toml_and_what_is_graded_again_is_said(toys: ToyClass) -> None:
    toys.hand_in("ada", RIGHT)
    assert autograder(toys, "grade", "--jobs", "1", AUTOGRADER_SEED="7").returncode == 0
    done = autograder(toys, "grade", "--jobs", "1", AUTOGRADER_SEED="8")
    assert done.returncode == 0
    assert "note: AUTOGRADER_SEED overrides the seed in course.toml." in done.stderr
    assert "note: 1 submission will be graded again: the seed changed from 7 to 8." in done.stderr


def test_a_mistake_in_course_toml_is_one_line(toys: ToyClass) -> None:
    (toys.course.root / "course.toml").write_text("sed = 7")
    done = autograder(toys, "grade")
    assert (done.returncode, done.stdout) == (1, "")
    (line,) = done.stderr.splitlines()
    assert line.startswith("autograder: ")
    assert "there is no key `sed`" in line


def test_the_demo_touches_no_gradebook_but_its_own(toys: ToyClass) -> None:
    (toys.course.root / "demo.toml").write_text(f"[ada.{TOYS}]\nall = 'solved'\n")
    real = toys.course.root / "real.db"
    url = {"AUTOGRADER_DB_URL": f"sqlite:///{real}", "AUTOGRADER_SEED": "5"}
    before = (toys.course.root / "gradebook.db").read_bytes()
    done = autograder(toys, "demo", "--jobs", "1", **url)
    assert done.returncode == 0, done.stderr
    assert "5/5 ✓" in done.stdout
    assert not real.exists()
    assert (toys.course.root / "gradebook.db").read_bytes() == before
    assert (toys.course.root / ".demo" / "gradebook.db").is_file()


@pytest.mark.parametrize("arguments", [("check", "nothing.ipynb"), ("check", "course.toml")])
def test_a_file_that_is_no_notebook_gets_one_line_and_status_2(
    toys: ToyClass, arguments: tuple[str, ...]
) -> None:
    done = autograder(toys, *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    (line,) = done.stderr.splitlines()
    assert line.startswith(arguments[1])
