"""A course can't be read wherever it lies: here it lies among the installed packages."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from autograder.course import Course
from autograder.sandbox.limits import Isolation
from tests.courses import ROOT
from tests.sandbox.environments import Environment, new_environment
from tests.toys import course_of

pytestmark = pytest.mark.slow  # an environment with packages of its own takes seconds

# Prints what a student's process makes of the paths in a course: which it reads, which it lists.
LOOK = """
import json, sys
from pathlib import Path
from autograder.course import Course
from tests.sandbox.conftest import Intruder
from autograder.sandbox.host.launch import WarmProcess
from autograder.sandbox.limits import Limits
level, root, *paths = sys.argv[1:]
source = f'''
import os
def works(way, path):
    try: return bool(way(path))
    except OSError: return False
ways = lambda path: open(path, "rb").read(), os.listdir
answer = [[path for path in {paths!r} if works(way, path)] for way in ways]
'''
hidden = Course.load(Path(root)).secrets()
with WarmProcess(level, Limits(), (), "tests.sandbox.inside", hidden) as warm:
    print(json.dumps(Intruder(warm.spawn()).run(source)))
"""
NO_SECRETS = {"notes.txt", "nbgrader_config.py"}  # to be read, or else nothing would be proven
FILES = (
    *("gradebook.db", "gradebook.db-wal", "submitted/a/toys/toys.ipynb", "reports/toys/a.json"),
    *("feedback/a/toys/toys.html", "autograded/a/toys/toys.ipynb", ".course/proven.json"),
    *("answers/toys/double/right/a.py", "notes.txt"),
)


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    return new_environment(tmp_path_factory.mktemp("env"), ROOT)


@pytest.fixture(scope="module")
def course(environment: Environment) -> Course:
    """A course among the packages, with all that a course can hold."""
    course = course_of(environment.packages / "course")
    for name in FILES:
        path = course.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x")
    return course


def seen(course: Course, python: Path, level: Isolation) -> tuple[set[Path], set[Path]]:
    """Return the paths in the course that a student's process reads, and those that it lists."""
    command: list[str | Path] = [python, "-c", LOOK, level, course.root]
    command += course.root.rglob("*")
    done = subprocess.run(command, cwd="/", text=True, capture_output=True, check=True)
    read, listed = json.loads(done.stdout)
    return set(map(Path, read)), set(map(Path, listed))


def test_of_a_course_among_the_packages_nothing_secret_can_be_read(
    course: Course, environment: Environment, level: Isolation
) -> None:
    read, listed = seen(course, environment.python, level)
    assert {str(path.relative_to(course.root)) for path in read} == NO_SECRETS
    if level is not Isolation.LOCKDOWN:  # there, what holds packages can be listed, all of it
        assert listed == set()
