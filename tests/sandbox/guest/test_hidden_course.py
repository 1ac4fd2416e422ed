"""A course can't be read wherever it lies, nor our package: here among installed packages."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from autograder.sandbox.limits import Isolation
from tests.courses import ROOT
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


def test_of_a_course_and_our_package_nothing_secret_can_be_read_among_installed_packages(
    tmp_path: Path, level: Isolation
) -> None:
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", tmp_path], check=True)
    (packages,) = tmp_path.glob("lib/python*/site-packages")
    places = (Path(pytest.__file__).parents[1], ROOT)  # where all else is imported from
    (packages / "these.pth").write_text("\n".join(map(str, places)))
    ignored = shutil.ignore_patterns("__pycache__", "exercises")
    package = shutil.copytree(ROOT / "autograder", packages / "autograder", ignore=ignored)
    course = course_of(packages / "course")
    for name in FILES:
        path = course.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x")
    command: list[str | Path] = [tmp_path / "bin" / "python", "-c", LOOK, level, course.root]
    command += [*course.root.rglob("*"), *package.rglob("*")]
    done = subprocess.run(command, cwd="/", text=True, capture_output=True, check=True)
    read, listed = json.loads(done.stdout)
    assert set(read) == {str(course.root / name) for name in NO_SECRETS}
    if level is not Isolation.LOCKDOWN:  # there, what holds packages can be listed, all of it
        assert listed == []
