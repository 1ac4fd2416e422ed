"""Build assignments from the instructor's solution scripts. Builds are reproducible.

An assignment whose solution fails its own hidden tests isn't released.
"""

from __future__ import annotations

import base64
import json
import re
import shutil
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from autograder.authoring.script import BUGS_OF, LOCKED_NOTES, Script
from autograder.course import Course, solution
from autograder.course.bugs import FILE as BUGS_FILE
from autograder.course.solution import source_files
from autograder.diagnosis.banks import bugs_of
from autograder.errors import ReleaseError, first_of, in_digits
from autograder.grading.fingerprint import parts_that_decide
from autograder.grading.hidden_tests import HiddenTests
from autograder.intake.notebook import CellRole
from autograder.report import Verdict
from autograder.sandbox.host.in_process import InProcess
from autograder.sandbox.limits import MAX_TEXT
from autograder.testing import own_bug
from autograder.testing.failures import one_line

if TYPE_CHECKING:  # nbformat is slow to import
    from nbformat import NotebookNode

MAX_MESSAGE = 100  # characters of what a hidden test says
MAX_PICTURE = 200_000  # bytes: a notebook carries its pictures wherever it goes
_PROVEN = "proven.json"  # the parts, by assignment, for which the solution last passed
_BADGE = "https://colab.research.google.com/assets/colab-badge.svg"
_PICTURE = re.compile(r"!\[(?P<alt>[^\]]*)\]\((?P<path>[\w./-]+\.png)\)")


def release(course: Course, assignments: Iterable[str], *, skip_slow: bool = False) -> list[Path]:
    """Write the released notebook of each of `assignments`; return their paths.

    Raises `ReleaseError`, and writes nothing, unless every solution passes its own hidden tests.
    """
    # here: importing them takes seconds, and reading scripts doesn't need it
    import nbformat

    from autograder.authoring.generate import generate

    solved = {name: solved_notebook(course, name, make_notes=True) for name in assignments}
    files = {name: source_files(course, name) for name in solved}
    for name in solved:
        _prove(course, name, skip_slow=skip_slow)
    released = generate(course, solved)
    for name, text in released.items():
        path = course.release_path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
        kept = course.work / "source" / name  # where nbgrader looks for them when it autogrades
        kept.mkdir(parents=True, exist_ok=True)
        nbformat.write(solved[name], kept / path.name)  # type: ignore[no-untyped-call]
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


def solved_notebook(course: Course, assignment: str, *, make_notes: bool = False) -> NotebookNode:
    """Return the notebook of `assignment`, with its solutions and nbgrader's metadata.

    Its locked notes are those of the release, unless `make_notes` says to make them anew where they
    are out of date: that runs hidden tests and answers in this process.
    """
    script = Script.read(course, assignment)
    script.check()
    tests = HiddenTests(course, assignment)
    worth = script.worth(tests.points)
    notebook = script.marked(worth)
    said = _words(course, assignment, worth)
    said |= {f"POINTS_OF_{name}": in_digits(points) for name, points in worth.items()}
    said |= {f"IDEAS_OF_{name}": tests.table_of_ideas(name) for name in tests.points}
    for name in course.settings.assignment(assignment).left_out:
        said |= {f"POINTS_OF_{name}": "0", f"IDEAS_OF_{name}": ""}  # its prose stays
    names = re.compile(rf"\b({'|'.join(said)})\b")
    exercises = '", "'.join(script.named(CellRole.SOLUTION))
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            text = names.sub(lambda found: said[found[0]], cell.source).strip()
            cell.source = _with_pictures(text, course.solutions)
        else:
            cell.source = cell.source.replace("NAMES_OF_EXERCISES", exercises)
    _write_notes(course, assignment, notebook, make_notes)
    _write_bugs(course, assignment, notebook)
    for cell in notebook.cells:
        if len(cell.source) > MAX_TEXT:
            begins = one_line(cell.source.partition("\n")[0], MAX_MESSAGE)
            raise ReleaseError(
                f"{assignment}: the cell that begins `{begins}` has {len(cell.source):,} "
                f"characters; with more than {MAX_TEXT:,} in a cell, no notebook can be graded. "
                "Divide it."
            )
    return notebook


def _write_notes(course: Course, assignment: str, notebook: NotebookNode, make: bool) -> None:
    for cell in notebook.cells:
        if cell.source.endswith(LOCKED_NOTES):
            from autograder.authoring.notes.author import cell_of  # here: it plays on torch

            code = cell_of(course, assignment, make=make)
            cell.source = cell.source.removesuffix(LOCKED_NOTES) + code


def _write_bugs(course: Course, assignment: str, notebook: NotebookNode) -> None:
    for cell in notebook.cells:
        title, is_there, exercise = cell.source.rpartition(BUGS_OF)
        if not (is_there and cell.cell_type == "code" and exercise.isidentifier()):
            continue
        bugs = bugs_of(course, assignment).get(exercise)
        if bugs is None:
            raise ReleaseError(
                f"{assignment}.py: `include` asks for the bugs of {exercise}: say in "
                f"{assignment}/{BUGS_FILE} which they are."
            )
        code = Path(own_bug.__file__).read_text("utf-8").strip()
        lines = "\n".join(textwrap.wrap(bugs.packed, 100))
        cell.source = f'{title}{code}\n\n\nBUGS = """\n{lines}\n"""'


def _words(course: Course, assignment: str, worth: Mapping[str, float]) -> dict[str, str]:
    """Return what is written for each name in capitals; `worth` are points by exercise."""
    said = course.settings
    return {
        "TOTAL_POINTS": in_digits(sum(worth.values())),
        "POINTS_EACH": " · ".join(
            f"`{name}` {in_digits(points)}" for name, points in worth.items() if points
        ),
        "COLAB_BADGE": _badge(course, assignment),
        "HAND_IN": said.hand_in.replace("NOTEBOOK", f"`{assignment}.ipynb`"),
        "ALLOWED_TOOLS": said.allowed_tools,
        "MORE_PACKAGES": ", ".join(f"`{name}`" for name in said.packages) or "none",
        "AI_POLICY": said.ai_policy,
        "WHERE_TO_ASK": said.where_to_ask,
    }


def _badge(course: Course, assignment: str) -> str:
    """Return a link that opens the released notebook in Colab; nothing without a repository."""
    if not course.settings.repository:
        return ""
    owner_and_name, _, place = course.settings.repository.partition("/tree/")
    branch, _, folder = place.strip("/").partition("/")
    notebook = course.release_path(assignment).relative_to(course.root).as_posix()
    path = f"{folder}/{notebook}" if folder else notebook
    site = owner_and_name.strip("/").replace("https://", "https://colab.research.google.com/", 1)
    site = site.replace("github.com", "github", 1)
    return f"[![Open in Colab]({_BADGE})]({site}/blob/{branch or 'main'}/{path})"


def _with_pictures(text: str, folder: Path) -> str:
    """Write pictures into the text itself: Colab shows those, and no attachments of cells."""

    def written(picture: re.Match[str]) -> str:
        alt = " ".join(picture["alt"].split())
        return f"![{alt}](data:image/png;base64,{_content(folder / picture['path'], alt)})"

    return _PICTURE.sub(written, text)


def _content(path: Path, alt: str) -> str:
    shown = "/".join(path.parts[-2:])
    if not alt:
        raise ReleaseError(f"{shown} has no description: say in `![…]` what it shows.")
    if not path.is_file():
        raise ReleaseError(f"{shown} is missing: put it into solutions/.")
    content = path.read_bytes()
    if len(content) > MAX_PICTURE:
        raise ReleaseError(f"{shown} has {len(content):,} bytes: keep it to {MAX_PICTURE:,}.")
    return base64.b64encode(content).decode("ascii")


def _prove(course: Course, assignment: str, *, skip_slow: bool) -> None:
    path = course.work / _PROVEN
    try:
        proven = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        proven = {}
    current = parts_that_decide(course, assignment) | {"slow tests": str(not skip_slow)}
    if proven.get(assignment) in (current, current | {"slow tests": "True"}):
        return
    tests = HiddenTests(course, assignment)
    sources, folder = solution.sources(course, assignment), course.solutions / assignment
    with closing(InProcess(sources.values(), tests.forbidden, folder=folder)) as channel:
        for exercise in tests.points:
            found = tests.examine(exercise, lambda: channel, course.seed, skip_slow=skip_slow)
            failed = [each.verdict for each in found if not each.passed]
            if failed:
                left_out = ", ".join(course.settings.assignment(assignment).left_out)
                asked = f" course.toml leaves out {left_out}: does the solution need any of those?"
                raise ReleaseError(
                    f"{assignment} isn't released: the solution to {exercise} fails "
                    f"{in_a_line(failed)}. Correct the solution or the hidden test."
                    + (asked if left_out else "")
                )
    course.work.mkdir(exist_ok=True)
    path.write_text(json.dumps(proven | {assignment: current}), encoding="utf-8")


def in_a_line(failed: Sequence[Verdict]) -> str:
    """Return which hidden tests failed, and what the first of them says."""
    names = first_of([each.name for each in failed], 1)
    return f"{names} ({one_line(failed[0].reason, MAX_MESSAGE).rstrip('.')})"
