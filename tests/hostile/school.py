"""A course of its own, in which a case is handed in beside an honest submission and given back.

What an instructor does is done with both: collect, grade, record, write feedback, the class report
and a table of grades.
"""

from __future__ import annotations

import json
import re
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from bs4 import BeautifulSoup, Tag

from autograder.authoring.release import release
from autograder.sandbox.isolation import Isolation
from tests.courses import copy_of_kit, solved
from tests.hostile.cases import STUDENT, Case
from tests.hostile.folders import DEEDS
from tests.hostile.handing_in import notebook_of
from tests.hostile.pages import live_parts
from tests.hostile.steps import AUTOGRADER, Step, grading, run
from tests.hostile.witness import Witness
from tests.notebooks import code, filled

HONEST, HOSTILE = "ada", "mallory"
STEP_SECONDS = 100.0
MOST_MEMORY = 2 << 30  # bytes of any process of ours
MOST_WRITTEN = 20 << 20  # bytes that are given back to one student
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2066-\u2069]")
_FORMULA = re.compile(r"(?m)(?:^|,)\"?[=+@\t]")


class School:
    """The course, with its honest student."""

    def __init__(self, assignment: str, level: Isolation) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="hostile-school-")
        self._course = copy_of_kit(Path(self._folder.name, "course"))
        self._assignment, self._level = assignment, level
        for each in self._course.assignments.iterdir():
            if each.name != assignment:
                shutil.rmtree(each)
        release(self._course, [assignment])
        self._right: object = None

    def close(self) -> None:
        """Remove it."""
        shutil.rmtree(self._folder.name, ignore_errors=True)
        self._folder.cleanup()

    def complaints(self, case: Case, witness: Witness) -> list[str]:
        """Hand the case in; return what was not contained."""
        self._hand_in(case, witness)
        steps: list[Step] = []
        found = [*self._worked_off(steps), *self._honest(steps), *self._hostile(case, witness)]
        self._clear()
        return found

    def _hand_in(self, case: Case, witness: Witness) -> None:
        neighbour = filled(
            self._course.release_path(self._assignment), solved(self._course, self._assignment)
        )
        neighbour["cells"].append(code(f"note = {witness.secret!r}"))
        student = case.source if case.place == STUDENT else HOSTILE
        raw = notebook_of(case, self._course, witness.places)
        for name, content in ((HONEST, json.dumps(neighbour).encode()), (student, raw)):
            path = self._course.submission_path(name, self._assignment)
            path.parent.mkdir(parents=True)
            path.write_bytes(content)
        if case.change in DEEDS:
            DEEDS[case.change](path.parent, self._course.root)

    def _worked_off(self, steps: list[Step]) -> Iterator[str]:
        """Run each step; say what did not end, took too much, or wrote to the terminal."""
        root = self._course.root
        commands = {
            "grade": grading(root, self._level, 1),
            **{name: [*AUTOGRADER, name] for name in ("feedback", "report")},
            "export": [*AUTOGRADER, "export", "--to", "csv"],
        }
        if (root / "incoming").exists():
            commands = {"collect": [*AUTOGRADER, "collect", "incoming"]} | commands
        for name, command in commands.items():
            step = run(name, command, root, STEP_SECONDS)
            steps.append(step)
            if not step.ended:
                yield f"`{name}` did not end by itself in {STEP_SECONDS:g} s"
            if "Traceback" in step.output:
                yield f"`{name}` broke off: {step.output.splitlines()[-1][:200]}"
            if step.memory.most > MOST_MEMORY:
                yield f"`{name}` took {step.memory.most >> 20} MB"
            if found := _CONTROL.search(step.output):
                yield f"`{name}` wrote {found[0]!r} to the terminal"

    def _honest(self, steps: list[Step]) -> Iterator[str]:
        (graded,) = (step for step in steps if step.name == "grade")
        lines = [line for line in graded.output.splitlines() if line.startswith('["')]
        points = {name: (score, most) for name, score, most, _ in map(json.loads, lines)}
        score, most = points.get(HONEST, (None, None))
        if score is None or score != most:
            yield f"the honest submission got {score} of {most}"
        page = self._course.feedback / HONEST / self._assignment / f"{self._assignment}.html"
        if not page.is_file():
            yield "the honest student got no feedback"
        table = self._course.exports / "grades.csv"
        if not table.is_file() or HONEST not in table.read_text("utf-8"):
            yield "the honest student is not in the table of grades"
        elif found := _FORMULA.search(table.read_text("utf-8")):
            yield f"the table of grades has a formula: {found[0]!r}"

    def _hostile(self, case: Case, witness: Witness) -> Iterator[str]:
        """Say what was given back that is not the student's own, too much, or alive."""
        course = self._course
        for folder in (course.feedback, course.root / "autograded"):
            for student in folder.iterdir() if folder.is_dir() else ():
                if student.name == HONEST:
                    continue
                files = [path for path in student.rglob("*") if path.is_file()]
                yield from _given_back(student, files, witness)
        score = _score_of(case, course.reports / self._assignment / f"{HOSTILE}.json")
        if score and case.refused:
            yield f"it got {score:g} points"

    def _clear(self) -> None:
        """Take everything away that was handed in, but not the gradebook."""
        root = self._course.root
        for name in ("submitted", "autograded", "feedback", "reports", "exports", "incoming"):
            shutil.rmtree(root / name, ignore_errors=True)
        (root / "unassigned.csv").unlink(missing_ok=True)


def _given_back(student: Path, files: list[Path], witness: Witness) -> Iterator[str]:
    where = f"{student.parent.name}/{student.name!r}"
    if sum(path.stat().st_size for path in files) > MOST_WRITTEN or len(files) > 100:
        yield f"{len(files)} files, or too many bytes, lie in {where}"
        return
    for path in files:
        content = path.read_bytes()
        if witness.secret.encode() in content:
            yield f"another's work lies in {where} as {path.name}"
        if content.startswith((b"SQLite", b"root:")):
            yield f"a file of this machine lies in {where} as {path.name}"
        if path.suffix == ".html":
            shown = BeautifulSoup(content, "html.parser").select_one("#notebook") or Tag(name="x")
            for part in live_parts(shown):
                yield f"the page would run {part[:80]}"


def _score_of(case: Case, report: Path) -> float:
    return json.loads(report.read_text("utf-8"))["score"] if report.is_file() else 0
