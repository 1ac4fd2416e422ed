"""Classes of submissions to time, and courses of ours and of stock nbgrader to time them in."""

import json
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from itertools import cycle, islice
from pathlib import Path

from autograder.course import Course
from tests.benchmarks.measure import environment
from tests.courses import KIT, ROOT, solved
from tests.notebooks import filled

KINDS = ("solved", "wrong", "mixed")
_STOCK_CONFIG = """
c = get_config()
c.CourseDirectory.root = {root!r}
c.CourseDirectory.source_directory = "source"
c.ClearSolutions.code_stub = {{"python": "raise NotImplementedError()"}}
"""


def submissions(assignment: str, kind: str, number: int) -> Iterator[str]:
    """Yield the text of `number` notebooks.

    `solved`: all right. `wrong`: a wrong answer to every exercise, another one in each notebook.
    `mixed`: by turns solved, one exercise wrong, half of it left open, all wrong.
    """
    release, right = KIT.release_path(assignment), solved(KIT, assignment)
    wrong = _wrong(assignment, right)
    for place, answers in enumerate(islice(wrong, number)):
        sources = right | answers
        if kind == "solved" or (kind == "mixed" and place % 4 == 0):
            sources = right
        elif kind == "mixed" and place % 4 == 1:
            one = sorted(answers)[place % len(answers)]
            sources = right | {one: answers[one]}
        elif kind == "mixed" and place % 4 == 2:
            done = sorted(answers)[::2]
            sources = {name: source for name, source in right.items() if name in done}
        yield json.dumps(filled(release, sources))


def make_stock(course: Course, root: Path, assignment: str) -> None:
    """Make a course of stock nbgrader that has released `assignment`."""
    source = root / "source" / assignment
    source.mkdir(parents=True)
    shutil.copy(course.root / ".course" / "source" / assignment / f"{assignment}.ipynb", source)
    (root / "nbgrader_config.py").write_text(_STOCK_CONFIG.format(root=str(root)))
    command = [nbgrader(), "generate_assignment", assignment]
    subprocess.run(command, cwd=root, env=environment(), check=True, capture_output=True)


def hand_in(root: Path, assignment: str, texts: Iterable[str]) -> None:
    """Put notebooks where both kinds of course look for what was handed in."""
    for place, text in enumerate(texts):
        path = root / KIT.submission_path(f"student{place:05}", assignment).relative_to(ROOT)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def nbgrader() -> str:
    return str(Path(sys.executable).with_name("nbgrader"))


def _wrong(assignment: str, names: Iterable[str]) -> Iterator[dict[str, str]]:
    """Yield a wrong answer to each exercise, over and over."""
    banks = {
        name: cycle(sorted((KIT.answers / assignment / name / "wrong").glob("*.py")))
        for name in names
        if (KIT.answers / assignment / name / "wrong").is_dir()
    }
    while True:
        yield {name: next(paths).read_text() for name, paths in banks.items()}
