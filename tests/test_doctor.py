"""What `autograder doctor` says of a machine and a course, and what it advises."""

import os
import re
from pathlib import Path

import pytest

from autograder import doctor
from autograder.course import Course
from autograder.sandbox import kernel
from autograder.sandbox.host.probe import strongest
from tests.commands import autograder, run
from tests.new_courses import made

pytestmark = pytest.mark.slow


@pytest.fixture
def course(tmp_path: Path) -> Course:
    return made(tmp_path / "course")


def lines(folder: Path, **environment: str) -> tuple[dict[str, str], int]:
    """Return what the doctor says, by what it is about, and its status."""
    done = run(folder, "-m", "autograder", "doctor", **{"COLUMNS": "80"} | environment)
    assert "Traceback" not in done.stderr, done.stderr
    assert all(len(line) <= 80 for line in done.stdout.splitlines())
    said: dict[str, str] = {}
    about = ""
    for line in done.stdout.splitlines():
        sign, first, text = re.match(r"(.) (\w*) *(.*?) *$", line).groups()  # type: ignore[union-attr]
        about = first if sign != " " else about
        said[about] = f"{said[about]} {text}" if sign == " " else f"{sign} {text}"
    return said, done.returncode


def test_all_is_well_in_a_new_course_and_where_there_is_none(course: Course) -> None:
    said, status = lines(course.root)
    assert status == 0
    assert f"{strongest()} confines students' code" in said["isolation"]
    assert said["course"].startswith("✓ course, in ")
    assert said["seed"].startswith("✓ none yet")
    assert said["roster"].startswith("✓ none")
    said, status = lines(course.root.parent)
    assert status == 0
    assert said["course"].startswith("! none here → There is no course.toml here or above")


@pytest.mark.parametrize(
    ("file", "text", "about", "advice"),
    [
        ("course.toml", "sed = 7", "course", "there is no key `sed`"),
        ("course.toml", "seed = ", "course", "is not valid TOML"),
        ("seed.txt", "soon", "seed", "must hold the course's seed"),
        ("roster.csv", "name\nAda\n", "roster", "has no column student_id"),
    ],
)
def test_a_file_that_is_wrong_is_said_with_what_to_do_and_status_1(
    course: Course, file: str, text: str, about: str, advice: str
) -> None:
    (course.root / file).write_text(text)
    said, status = lines(course.root)
    assert status == 1
    assert said[about].startswith("✗ can't be read → ")
    assert advice in said[about]


def test_what_is_odd_but_works_is_said_with_what_to_do(course: Course) -> None:
    settings = course.root / "course.toml"
    lacking = 'seed = 3\npackages = ["numpy", "no-such-package"]\n'
    settings.write_text(settings.read_text("utf-8").replace("\nexercises", f"\n{lacking}exercises"))
    said, status = lines(
        course.root,
        TZ="Mars/Olympus",
        LC_ALL="C",
        PYTHONUTF8="0",
        PYTHONCOERCECLOCALE="0",
        AUTOGRADER_SEED="5",
    )
    assert status == 0
    assert said["clock"].endswith("no time zone is named Mars/Olympus → Correct TZ.")
    assert said["locale"].endswith("To see names right: export LANG=C.UTF-8")
    assert said["packages"].endswith(
        "→ Install them by the names that their own documentation gives, or unlist them."
    )
    assert "AUTOGRADER_SEED overrides the seed in course.toml" in said["settings"]


def test_where_nothing_confines_students_code_the_status_is_1(
    course: Course, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doctor, "why_not", lambda level: "the kernel refuses")
    done = autograder(course.root, "doctor", COLUMNS="200")
    assert done.returncode == 1
    levels = "rootns and userns and lockdown can't: the kernel refuses"
    assert f"✗ isolation  nothing confines students' code; {levels}" in done.stdout
    assert "libseccomp2" in done.stdout


@pytest.mark.parametrize(
    ("abi", "said"), [("2", "version 2, which doesn't know how files"), ("3", "version 3")]
)
def test_an_old_kernels_landlock_is_described(course: Course, abi: str, said: str) -> None:
    if not kernel.landlock_abi():
        pytest.skip("this kernel has no Landlock")
    found, _ = lines(course.root, AUTOGRADER_LANDLOCK_ABI=abi)
    assert f"Linux {os.uname().release}, Landlock {said}" in found["kernel"]
