"""Time a class of solved notebooks beside stock nbgrader, in one run on the same files.

Stock nbgrader runs the same solved notebooks with its own kernel and finds its points in the
visible checks; it neither confines student code nor runs hidden tests. Run it by `make bench`.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from autograder import solution
from autograder.course import Course
from tests.notebooks import filled

STOCK_CONFIG = """
c = get_config()
c.CourseDirectory.root = {root!r}
c.CourseDirectory.source_directory = "source"
c.ClearSolutions.code_stub = {{"python": "raise NotImplementedError()"}}
"""


def main() -> None:
    """Print the wall time a submission of both, and their ratio."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--assignment", default="hw2_encoder")
    arguments.add_argument("--submissions", type=int, default=24)
    options = arguments.parse_args()
    here = Course.find(Path(__file__).parent)
    with tempfile.TemporaryDirectory() as folder:
        one, two, stock = (Path(folder, name) for name in ("one", "two", "stock"))
        _make_ours(here, one)
        _make_ours(here, two)
        make_stock(here, stock, options.assignment)
        for root in (one, two, stock):
            _hand_in(here, root, options.assignment, options.submissions)
        nbgrader = str(Path(sys.executable).with_name("nbgrader"))
        autograder = [sys.executable, "-m", "autograder", "grade", options.assignment]
        times = {
            "ours, 1 worker": _time([*autograder, "--jobs=1"], one),
            "ours, 2 workers": _time([*autograder, "--jobs=2"], two),
            "stock nbgrader": _time([nbgrader, "autograde", options.assignment], stock),
        }
    for name, seconds in times.items():
        ratio = times["stock nbgrader"] / seconds
        each = seconds / options.submissions
        print(f"{name:16} {seconds:7.1f} s  {each:6.2f} s each  {ratio:5.1f} x stock")


def _make_ours(here: Course, root: Path) -> None:
    for name in ("solutions", "assignments"):
        shutil.copytree(here.root / name, root / name)
    shutil.copy(here.root / "nbgrader_config.py", root)


def make_stock(here: Course, root: Path, assignment: str) -> None:
    source = root / "source" / assignment
    source.mkdir(parents=True)
    shutil.copy(here.root / ".course" / "source" / assignment / f"{assignment}.ipynb", source)
    (root / "nbgrader_config.py").write_text(STOCK_CONFIG.format(root=str(root)))
    nbgrader = str(Path(sys.executable).with_name("nbgrader"))
    _time([nbgrader, "generate_assignment", assignment], root)


def _hand_in(here: Course, root: Path, assignment: str, number: int) -> None:
    solved = filled(here.release_path(assignment), solution.sources(here, assignment))
    for student in range(number):
        path = Course(root).submission_path(f"student{student:03}", assignment)
        path.parent.mkdir(parents=True)
        path.write_text(json.dumps(solved))


def _time(command: list[str], root: Path) -> float:
    bin_folder = str(Path(sys.executable).parent)
    environment = os.environ | {"PATH": os.pathsep.join([bin_folder, os.environ["PATH"]])}
    started = time.perf_counter()
    subprocess.run(command, cwd=root, env=environment, check=True, capture_output=True)
    return time.perf_counter() - started


if __name__ == "__main__":
    main()
