"""Build assignments from the instructor's solution scripts. Builds are reproducible."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from autograder.authoring import prose
from autograder.authoring.proof import prove
from autograder.authoring.script import Script
from autograder.course import Course
from autograder.course.solution import source_files
from autograder.grading.hidden_tests import HiddenTests

if TYPE_CHECKING:  # nbformat is slow to import
    from nbformat import NotebookNode


def release(course: Course, assignments: Iterable[str], *, skip_slow: bool = False) -> list[Path]:
    """Write the released notebook of each of `assignments`; return their paths.

    Raises `ReleaseError`, and writes nothing, unless every script is valid and every solution
    passes its own hidden tests. `skip_slow` leaves out the slow tests.
    """
    # here: importing it takes seconds, and reading scripts doesn't need it
    from autograder.authoring.generate import generate

    solved = {name: solved_notebook(course, name) for name in assignments}
    files = {name: source_files(course, name) for name in solved}
    for name in solved:
        prove(course, name, skip_slow=skip_slow)
    released = generate(course, solved)
    for name, text in released.items():
        path = course.release_path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
        kept = course.work / "source" / name  # where nbgrader looks for them when it autogrades
        _mirror(files[name], kept, path.parent)
    return [course.release_path(name) for name in released]


def _mirror(files: Mapping[str, Path], kept: Path, released: Path) -> None:
    """Copy an instructor's files, and remove those that an earlier release had."""
    before = [path for path in kept.rglob("*") if path.is_file() and path.suffix != ".ipynb"]
    for path in before:
        name = path.relative_to(kept)
        if name.as_posix() not in files:
            (released / name).unlink(missing_ok=True)
            path.unlink()
    for folder in (kept, released):
        for given, source in files.items():
            target = folder / given
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, target)


def solved_notebook(course: Course, assignment: str) -> NotebookNode:
    """Return the notebook of `assignment`, with its solutions and nbgrader's metadata."""
    script = Script.read(course, assignment)
    script.check()
    points = HiddenTests(course, assignment).points
    notebook = script.marked(points)
    prose.fill(notebook, prose.words(course, assignment, script.worth(points)), course.solutions)
    return notebook
