"""A course of its own, in which a case is handed in beside an honest submission and given back.

What an instructor does is done with both: collect, grade, record, write feedback, the class report
and a table of grades.
"""

import json
import re
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from bs4 import BeautifulSoup, Tag

from autograder.authoring.release import release
from autograder.sandbox.limits import Isolation
from tests.courses import copy_of_kit, solved
from tests.hostile.cases import STUDENT, Case
from tests.hostile.folders import DEEDS
from tests.hostile.handing_in import notebook_of
from tests.hostile.pages import live_parts
from tests.hostile.steps import AUTOGRADER, Step, grading, run
from tests.hostile.witness import Witness
from tests.notebooks import code, filled

HONEST, LAST, HOSTILE = "ada", "zoe", "mallory"  # whose turns are before, after and between
STEP_SECONDS = 300.0
MOST_MEMORY = 2 << 30  # bytes of any process of ours
MOST_WRITTEN = 20 << 20  # bytes that are given back to one student
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2066-\u2069]")
_FORMULA = re.compile(r"(?m)(?:^|,)\"?[=+@\t]")


class School:
    """The course, with its honest student."""

    def __init__(self, assignment: str, level: Isolation) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="hostile-school-")
        self.course = copy_of_kit(Path(self._folder.name, "course"))
        self._assignment, self._level = assignment, level
        for each in self.course.assignments.iterdir():
            if each.name != assignment:
                shutil.rmtree(each)
        release(self.course, [assignment])

    def close(self) -> None:
        shutil.rmtree(self._folder.name, ignore_errors=True)
        self._folder.cleanup()

    def complaints(self, case: Case, witness: Witness) -> list[str]:
        """Hand the case in; return what was not contained."""
        for name in (HONEST, LAST):
            self.hand_in_honest(name, f"note = {witness.secret!r}")
        self.hand_in(case, case.source if case.place == STUDENT else HOSTILE, witness)
        steps = [run(*each, self.course.root, STEP_SECONDS) for each in self.commands(1)]
        unruly = [said for step in steps for said in _unruly(step)]
        graded = next(step for step in steps if step.name == "grade")
        found = [*unruly, *self._honest(graded), *self._hostile(case, witness)]
        self.clear()
        return found

    def hand_in_honest(self, student: str, note: str = "") -> None:
        answers = solved(self.course, self._assignment)
        content = filled(self.course.release_path(self._assignment), answers)
        content["cells"].append(code(note))
        self._write(student, json.dumps(content).encode())

    def hand_in(self, case: Case, student: str, witness: Witness) -> None:
        folder = self._write(student, notebook_of(case, self.course, witness.places))
        if case.change in DEEDS:
            DEEDS[case.change](folder, self.course.root)

    def _write(self, student: str, raw: bytes) -> Path:
        path = self.course.submission_path(student, self._assignment)
        path.parent.mkdir(parents=True)
        path.write_bytes(raw)
        return path.parent

    def commands(self, jobs: int) -> list[tuple[str, list[str]]]:
        """Return what an instructor runs, by name and in order."""
        commands = {
            "collect": [*AUTOGRADER, "collect", "incoming"],
            "grade": grading(self.course.root, self._level, jobs),
            "feedback": [*AUTOGRADER, "feedback"],
            "report": [*AUTOGRADER, "report"],
            "export": [*AUTOGRADER, "export", "--to", "csv"],
        }
        if not (self.course.root / "incoming").exists():
            del commands["collect"]
        return list(commands.items())

    def _honest(self, graded: Step) -> Iterator[str]:
        table = self.course.exports / "grades.csv"
        listed = table.read_text("utf-8") if table.is_file() else ""
        for name in (HONEST, LAST):
            if name not in whole(graded):
                yield f"the honest submission of {name} has lost points, or has none"
            page = self.course.feedback / name / self._assignment / f"{self._assignment}.html"
            if not page.is_file():
                yield f"{name}, who is honest, got no feedback"
            if name not in listed:
                yield f"{name}, who is honest, is not in the table of grades"
        if found := _FORMULA.search(listed):
            yield f"the table of grades has a formula: {found[0]!r}"

    def _hostile(self, case: Case, witness: Witness) -> Iterator[str]:
        """Say what was given back that is not the student's own, too much, or alive."""
        course = self.course
        for folder in (course.feedback, course.root / "autograded"):
            for student in folder.iterdir() if folder.is_dir() else ():
                if student.name in (HONEST, LAST):
                    continue
                files = [path for path in student.rglob("*") if path.is_file()]
                yield from _given_back(student, files, witness)
        report = course.reports / self._assignment / f"{HOSTILE}.json"
        if (
            case.refused
            and report.is_file()
            and (score := json.loads(report.read_bytes())["score"])
        ):
            yield f"it got {score:g} points"

    def clear(self) -> None:
        """Take everything away that was handed in, but not the gradebook."""
        root = self.course.root
        for name in ("submitted", "autograded", "feedback", "reports", "exports", "incoming"):
            shutil.rmtree(root / name, ignore_errors=True)
        (root / "unassigned.csv").unlink(missing_ok=True)


def whole(graded: Step) -> set[str]:
    """Return the students who got all points, by what the step `grade` printed."""
    lines = [line for line in graded.output.splitlines() if line.startswith('["')]
    results = [json.loads(line) for line in lines]
    return {name for name, score, most, _ in results if score is not None and score == most}


def _unruly(step: Step) -> Iterator[str]:
    """Say that a step did not end, took too much, or wrote to the terminal what moves it."""
    if not step.ended:
        yield f"`{step.name}` did not end by itself in {STEP_SECONDS:g} s"
    if "Traceback" in step.output:
        yield f"`{step.name}` broke off: {step.output.splitlines()[-1][:200]}"
    if step.memory.most > MOST_MEMORY:
        yield f"`{step.name}` took {step.memory.most >> 20} MB"
    if found := _CONTROL.search(step.output):
        yield f"`{step.name}` wrote {found[0]!r} to the terminal"


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
