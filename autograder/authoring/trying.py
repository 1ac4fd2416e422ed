"""Answers to one exercise, graded as students' are, in a process that can be killed."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from enum import StrEnum
from multiprocessing.connection import Connection

from autograder.course import Course, solution
from autograder.course.solution import source_files
from autograder.errors import AutograderError
from autograder.grading.examiner import Examiner
from autograder.grading.grader import imports_of
from autograder.grading.process import StudentProcess
from autograder.grading.session import SandboxSession
from autograder.intake.notebook import CellRole, read_notebook
from autograder.intake.submission import Release, filled, normalise
from autograder.report import ExerciseReport
from autograder.sandbox import kernel
from autograder.sandbox.host.launch import WarmProcess
from autograder.sandbox.limits import Isolation

# The sandbox sees to answers that hang; this is for hidden tests and misconceptions that do, which
# run in our own process.
_GRACE_SECONDS = 60
_END_SECONDS = 10.0


class Kind(StrEnum):
    """What an answer is, which says what should come of it. Two are names of folders."""

    SOLUTION = "solution"
    STUB = "stub"
    RIGHT = "right"
    WRONG = "wrong"
    REFERENCE = "reference"
    MISCONCEPTION = "misconception"


@dataclass(frozen=True)
class Tried:
    """An answer to try, and the file that it comes from; a misconception has a tag."""

    kind: Kind
    source: str
    where: str
    tag: str = ""


@dataclass(frozen=True)
class Exercise:
    """An exercise and the answers to try, each with everything else solved."""

    course: Course
    assignment: str
    name: str
    released: str  # the text of the assignment's release
    tried: tuple[Tried, ...] = field(repr=False)
    isolation: Isolation
    skip_slow: bool
    slow_seconds: float

    @property
    def deadline(self) -> float:
        """How many seconds an answer may take, from being sent to having its report."""
        seconds = self.course.settings.limits(self.assignment).notebook_seconds
        return seconds + self.slow_seconds + _GRACE_SECONDS


def reports_of(exercise: Exercise) -> Iterator[ExerciseReport | str]:
    """Yield the report on each answer, in order; a sentence where there is none ends it."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["autograder.grading.grader"])
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_grade_all, args=(exercise, sender), daemon=True)
    process.start()
    sender.close()
    try:
        for tried in exercise.tried:
            report = _next(receiver, exercise, tried)
            yield report
            if isinstance(report, str):
                return
        process.join(_END_SECONDS)
    finally:
        process.kill()
        process.join()


def _next(receiver: Connection, exercise: Exercise, tried: Tried) -> ExerciseReport | str:
    what = tried.tag or f"the {tried.kind} answer"
    try:
        if receiver.poll(exercise.deadline):
            report: ExerciseReport | str = receiver.recv()
            return report
    except EOFError:
        return (
            f"{tried.where}: the process that grades {what} has ended, so the rest of "
            f"{exercise.name} was not tried: look at what the hidden tests do then."
        )
    return (
        f"{tried.where}: grading {what} takes more than {exercise.deadline:g} seconds, so the rest "
        f"of {exercise.name} was not tried: look for a loop in the hidden tests or misconceptions."
    )


def _grade_all(exercise: Exercise, sender: Connection) -> None:
    """Send the report on each answer, or what is in the way of all."""
    kernel.die_with_parent()
    try:
        for report in _reports(exercise):
            sender.send(report)
    except AutograderError as error:
        sender.send(str(error))


def _reports(exercise: Exercise) -> Iterator[ExerciseReport]:
    course, assignment = exercise.course, exercise.assignment
    release = Release(assignment, read_notebook(exercise.released.encode()).cells)
    given = [cell.source for cell in release.cells if cell.role is CellRole.SETUP]
    examiner = Examiner(course, assignment, given, exercise.skip_slow)
    limits = course.settings.limits(assignment)
    limits = replace(limits, notebook_seconds=limits.notebook_seconds + exercise.slow_seconds)
    solved = solution.sources(course, assignment)
    imports, hidden = imports_of(release), course.secrets()
    files = source_files(course, assignment)
    level = exercise.isolation
    with WarmProcess(level, limits, preload=imports, hidden=hidden, files=files) as warm:
        for tried in exercise.tried:
            raw = filled(exercise.released, solved | {exercise.name: tried.source})
            forbidden = examiner.tests.forbidden
            process = StudentProcess(warm, (exercise.name,), forbidden, limits)
            session = SandboxSession(process, normalise(read_notebook(raw), release))
            try:
                yield from examiner.examine(session).values()
            finally:
                session.close()
