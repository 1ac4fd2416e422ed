"""The hidden tests against right and wrong answers: what decides whether the tests are good.

The solution and every right answer get full marks; every wrong answer loses some; every
misconception on file is caught and called by its own name; an exercise left unwritten earns
nothing; and the release is what the solution makes. All else is the instructor's own taste.
"""

from __future__ import annotations

import pkgutil
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from autograder.authoring.release import solved_notebook
from autograder.authoring.trying import Exercise, Kind, Tried, reports_of
from autograder.course import Course, solution
from autograder.diagnosis.banks import FOLDER, banks_of
from autograder.errors import AutograderError
from autograder.grading.hidden_tests import HiddenTests
from autograder.intake.notebook import read_notebook
from autograder.intake.submission import Release
from autograder.report import ExerciseReport, Outcome, Verdict
from autograder.sandbox.limits import Isolation
from autograder.testing.failures import one_line

_MAX_MESSAGE = 100  # characters of what a hidden test says


@dataclass(frozen=True)
class Result:
    """What trying an exercise showed, or what is wrong with a whole assignment: a line each."""

    subject: str
    tried: tuple[Tried, ...] = ()
    problems: tuple[str, ...] = ()

    def summary(self) -> str:
        """Say in a line what was tried and what came of it."""
        if not self.tried:
            return self.subject
        kinds = Counter(tried.kind for tried in self.tried)
        counts = [
            f"{kinds[kind]} {name}{'s' if kinds[kind] != 1 else ''}"
            for kind, name in (
                (Kind.RIGHT, "right answer"),
                (Kind.WRONG, "wrong answer"),
                (Kind.MISCONCEPTION, "misconception"),
            )
        ]
        said = f"{len(self.problems)} to correct" if self.problems else "all as it should be"
        return f"{self.subject}: {', '.join(counts)}: {said}"


def try_course(
    course: Course,
    assignments: Iterable[str],
    isolation: Isolation,
    jobs: int,
    *,
    skip_slow: bool = False,
) -> Iterator[Result]:
    """Yield a result for each exercise of `assignments`, while `jobs` are tried at a time."""
    exercises: list[Exercise] = []
    for assignment in assignments:
        try:
            found, problems = _plan(course, assignment, isolation, skip_slow)
        except AutograderError as error:
            found, problems = [], [str(error)]
        exercises += found
        if problems:
            yield Result(assignment, problems=tuple(problems))
    with ThreadPoolExecutor(jobs) as pool:
        yield from pool.map(_try_exercise, exercises)


def _plan(
    course: Course, assignment: str, isolation: Isolation, skip_slow: bool
) -> tuple[list[Exercise], list[str]]:
    """Return the exercises of `assignment`, with all that is to be tried, and what is wrong yet."""
    from autograder.authoring.generate import generate  # here: it takes seconds to import

    notebook = solved_notebook(course, assignment)
    released = generate(course, {assignment: notebook}, keep=False)[assignment]
    tests = HiddenTests(course, assignment)
    stubs = Release(assignment, read_notebook(released.encode()).cells).exercises
    exercises = [
        Exercise(
            course=course,
            assignment=assignment,
            name=name,
            released=released,
            tried=tuple(_answers(course, assignment, name, stubs[name].source)),
            isolation=isolation,
            skip_slow=skip_slow,
            slow_seconds=0 if skip_slow else tests.seconds,
        )
        for name in tests.points
    ]
    problems = [
        *_outdated(course, assignment, released),
        *_strays(course, assignment, stubs),
        *_missing(course, assignment, tests.points),
    ]
    return exercises, problems


def _outdated(course: Course, assignment: str, released: str) -> Iterator[str]:
    path = course.release_path(assignment)
    if path.is_file() and path.read_bytes() != released.encode():
        yield (
            f"{path.relative_to(course.root)} is not what solutions/{assignment}.py makes: run "
            f"`autograder release {assignment}`."
        )


def _strays(course: Course, assignment: str, exercises: Iterable[str]) -> Iterator[str]:
    """Tell of answers and misconceptions whose exercise there is none of: nobody would try them."""
    known = {*exercises, *course.settings.assignment(assignment).left_out}
    folder = course.exercises / assignment / FOLDER
    banks = (Path(folder, found.name) for found in pkgutil.iter_modules([str(folder)]))
    answers = (course.answers / assignment).glob("[!._]*/")
    for path in sorted([*banks, *answers]):
        if path.name not in known:
            yield (
                f"{path.relative_to(course.root)} belongs to no exercise of {assignment}: give it "
                f"the name of one ({', '.join(exercises)}) or remove it."
            )


def _missing(course: Course, assignment: str, exercises: Iterable[str]) -> Iterator[str]:
    for exercise in exercises:
        for kind in (Kind.RIGHT, Kind.WRONG):
            folder = course.answers / assignment / exercise / kind
            if not any(folder.glob("*.py")):
                yield (
                    f"{folder.relative_to(course.root)} holds no answer: write one, "
                    f"{_ADVICE[kind]}, so that the hidden tests are tried on it."
                )


def _answers(course: Course, assignment: str, exercise: str, stub: str) -> Iterator[Tried]:
    script = f"solutions/{assignment}.py"
    yield Tried(Kind.SOLUTION, solution.sources(course, assignment)[exercise], script)
    yield Tried(Kind.STUB, stub, script)
    for kind in (Kind.RIGHT, Kind.WRONG):
        for path in sorted((course.answers / assignment / exercise / kind).glob("*.py")):
            yield Tried(kind, path.read_text("utf-8"), str(path.relative_to(course.root)))
    bank = banks_of(course, assignment).get(exercise)
    if bank is not None:
        folder = (course.exercises / assignment / FOLDER).relative_to(course.root)
        where = str(folder / exercise)
        yield Tried(Kind.REFERENCE, bank.reference, where)
        for mistake in bank.singles():
            yield Tried(Kind.MISCONCEPTION, mistake.source, where, mistake.variants[0].tag)


def _try_exercise(exercise: Exercise) -> Result:
    problems = []
    # reports first: the last of them may end all, and they have to come to their end
    for report, tried in zip(reports_of(exercise), exercise.tried, strict=False):
        if isinstance(report, str):
            problems.append(report)
        elif said := _problem(tried, report):
            problems.append(said)
            if tried.kind is Kind.SOLUTION:  # whatever is wrong here shows in all that follows
                break
    subject = f"{exercise.assignment} {exercise.name}"
    return Result(subject, exercise.tried, tuple(problems))


def _problem(tried: Tried, report: ExerciseReport) -> str:
    """Say what is wrong with what came of an answer, and what to do; nothing if all is well."""
    lost = report.score < report.max_score
    named = [mistake.tag for mistake in report.misconceptions]
    failed = [test for test in report.tests if test.outcome is not Outcome.PASSED]
    faults = [test for test in failed if test.outcome is Outcome.GRADER_ERROR]
    match tried.kind:
        case _ if faults:
            return f"{tried.where}: {report.name} can't be judged by {_said(faults)}: correct that."
        case Kind.STUB if report.score > 0:
            return (
                f"{tried.where}: {report.name} left unwritten earns {report.score:g} of "
                f"{report.max_score:g} points in {_passed(report)}: let that test call "
                f"`student.{report.name}` and fail if it computes nothing."
            )
        case Kind.SOLUTION | Kind.REFERENCE | Kind.RIGHT if failed:
            taken = f" and is taken for {', '.join(named)}" if named else ""
            return (
                f"{tried.where}: {_WHAT[tried.kind]} {report.name} fails {_said(failed)}{taken}: "
                "correct it or the hidden test."
            )
        case Kind.WRONG if not lost:
            return (
                f"{tried.where}: this wrong answer gets full marks: add a hidden test that it "
                "fails or, if it is right, move it to right/."
            )
        case Kind.MISCONCEPTION if not lost:
            return (
                f"{tried.where}: {tried.tag} gets full marks: add a hidden test that it fails, or "
                "remove it."
            )
        case Kind.MISCONCEPTION if named != [tried.tag]:
            return (
                f"{tried.where}: {tried.tag} is taken for {' and '.join(named) or 'nothing'}: let "
                "a hidden test ask what only this mistake answers so, or merge the two."
            )
    return ""


_ADVICE = {
    Kind.RIGHT: "in another style than the solution's",
    Kind.WRONG: "with a mistake that students make",
}
_WHAT = {
    Kind.SOLUTION: "the solution of",
    Kind.REFERENCE: "REFERENCE of",
    Kind.RIGHT: "this right answer to",
}


def _passed(report: ExerciseReport) -> str:
    return ", ".join(test.name for test in report.tests if test.score > 0)


def _said(failed: Sequence[Verdict]) -> str:
    first = failed[0]
    more = f" and {len(failed) - 1} more" if len(failed) > 1 else ""
    message = one_line(first.reason, _MAX_MESSAGE).rstrip(".")
    return f"{first.name}{more} ({message})"
