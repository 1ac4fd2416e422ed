"""What a class came to, in a terminal: a table for each assignment, and the grader's faults."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from textwrap import fill

from rich.cells import cell_len
from rich.console import Console
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from autograder.errors import counted, first_of, in_digits, shown
from autograder.gradebook.changes import Change
from autograder.gradebook.marks import Mark, Marks
from autograder.grading.submissions import Graded
from autograder.report import NOT_GRADED, ExerciseReport, Outcome, Report

MAX_NAMED = 10  # students in a sentence that is true of many
MAX_CHANGES = 20  # lines of a table
MAX_WHOLE = 20  # letters of an exercise's name that stays in one line there
_SIGNS = {
    Outcome.PASSED: ("✓", "green"),
    Outcome.FAILED: ("✗", "red"),
    Outcome.ERROR: ("E", "red"),
    Outcome.TIMEOUT: ("T", "red"),
    Outcome.MEMORY: ("M", "red"),
    Outcome.NOT_ATTEMPTED: ("–", "dim"),
    Outcome.LATER: ("…", "yellow"),
}
_FAULT, _WAITS, _BY_HAND = "!", "…", "*"
_MIN_NAME = 12  # columns for the students' ids, where a terminal is narrow
_BORDER = 3  # what divides two columns: a line and two blanks
_Column = tuple[str, list[Text]]  # a header and its cells
_LEGEND = (
    *("✓ all passed", "✗ some failed", "E error", "T timeout", "M memory", "– not attempted"),
    f"{_WAITS} {NOT_GRADED}: a person has to, or it isn't due",
    f"{_FAULT} {NOT_GRADED}: a fault of the grader",
    f"{_BY_HAND} given by hand",
)


@dataclass(frozen=True)
class Alarm:
    """What is wrong on our side: how many students it affects and what to do, and who they are."""

    headline: str
    students: tuple[str, ...]
    traceback: str = ""  # of a hidden test that could not be run


def faults_in(reports: Iterable[Report]) -> list[Alarm]:
    """Return the hidden tests that could not be run, those that concern most students first."""
    students: dict[tuple[str, str, str, str], list[str]] = {}
    for report in reports:
        for exercise in report.exercises:
            for test in exercise.faults:
                key = (report.assignment, exercise.name, test.name, test.fault)
                students.setdefault(key, []).append(report.student)
    found = []
    for (assignment, name, check, traceback), names in students.items():
        headline = (
            f"The hidden test {check} of {assignment} could not be run: `{name}` is {NOT_GRADED} "
            f"for {counted(len(names), 'student')}. Correct the test and run `make grade` again."
        )
        found.append(Alarm(headline, tuple(names), traceback))
    return sorted(found, key=lambda fault: -len(fault.students))


def missing_in(reports: Iterable[Report]) -> list[Alarm]:
    """Return the modules that the grader lacks, those that most students import first."""
    students: dict[str, dict[str, None]] = {}
    for report in reports:
        for name in report.missing_modules:
            students.setdefault(name, {})[report.student] = None
    found = []
    for name, names in sorted(students.items(), key=lambda each: (-len(each[1]), each[0])):
        who = "1 student imports" if len(names) == 1 else f"{len(names)} students import"
        headline = (
            f"The grader has no module `{name}`, which {who}. If it is a package, and no file of "
            "their own, install it, and run `make grade` again: it grades these notebooks anew."
        )
        found.append(Alarm(headline, tuple(names)))
    return found


def show_faults(faults: Iterable[Alarm], console: Console) -> None:
    """Print a banner for each fault of the grader, with its traceback: for the instructor."""
    for fault in faults:
        lines = Text(fault.traceback, style="default")
        title = Text("! FAULT OF THE GRADER", style="bold red")
        console.print(Text(f"\n! {fault.headline}", style="bold red"))
        console.print(Panel(lines, title=title, border_style="red"))


def show_class(
    results: Sequence[Graded], console: Console, marked: Mapping[tuple[str, str], Marks]
) -> None:
    """Print a table for each assignment; `marked`: what is recorded, by assignment and student."""
    results = sorted(results, key=lambda graded: (graded.job.assignment, graded.job.student))
    for assignment, mine in groupby(results, key=lambda graded: graded.job.assignment):
        for table in _tables(assignment, list(mine), marked, console.width):
            console.print(table)
    # A line ends between two items alone: textwrap leaves blanks of this kind as they are.
    legend = fill("  ".join(each.replace(" ", "\xa0") for each in _LEGEND), console.width)
    console.print(Text(legend.replace("\xa0", " "), style="dim"))
    told: dict[tuple[str, str], list[str]] = {}
    for graded in results:
        if reason := graded.rejection or graded.fault:
            told.setdefault((graded.job.assignment, reason), []).append(graded.job.student)
    for (assignment, reason), students in told.items():
        named = first_of(students, MAX_NAMED)
        console.print(Text(shown(f"{named}, {assignment}: {reason}")))


def show_changes(changes: Sequence[Change], console: Console) -> None:
    """Print whose points are others than when they were told last; all of it is in a file."""
    table = Table(title="What changed since last time")
    told = changes[:MAX_CHANGES]
    names = (e.exercise if len(e.exercise) <= MAX_WHOLE else _in_lines(e.exercise) for e in told)
    places = [f"{each.assignment}:\n{name}" for each, name in zip(told, names, strict=True)]
    table.add_column("student", overflow="fold")
    table.add_column("exercise", min_width=_width(("exercise", list(map(Text, places)))))
    table.add_column("from", no_wrap=True)
    table.add_column("to", no_wrap=True)
    table.add_column("why", overflow="fold")
    for each, place in zip(told, places, strict=True):
        table.add_row(*map(Text, (each.student, place, each.old, each.new, shown(each.why))))
    console.print(table)
    if len(changes) > MAX_CHANGES:
        console.print(f"and {len(changes) - MAX_CHANGES} more")


def _tables(
    assignment: str,
    results: Sequence[Graded],
    marked: Mapping[tuple[str, str], Marks],
    width: int,
) -> Iterator[Table]:
    """Yield the table of an assignment; where it is too wide, its columns stand in several."""
    students = [Text(graded.job.student) for graded in results]
    columns = _columns(assignment, results, marked)
    widest = max(each.cell_len for each in [Text("student"), *students])
    room = width - _BORDER - min(widest, max(_MIN_NAME, width // 3))
    if sum(_width(each) + _BORDER for each in columns) + 1 > room:
        columns = [(_in_lines(header), cells) for header, cells in columns]
    for number, group in enumerate(_groups(columns, room)):
        table = Table(title=f"{assignment} (continued)" if number else assignment)
        table.add_column("student", overflow="fold")
        for column in group:
            table.add_column(column[0], justify="right", no_wrap=True, min_width=_width(column))
        for student, *cells in zip(students, *(cells for _, cells in group), strict=True):
            table.add_row(student, *cells)
        yield table


def _columns(
    assignment: str, results: Sequence[Graded], marked: Mapping[tuple[str, str], Marks]
) -> list[_Column]:
    """Return the columns to the right of the students: their headers and their cells."""
    first = next((graded.report for graded in results if graded.report), None)
    columns = [(name, list[Text]()) for name in (first.names if first else ())]
    totals = list[Text]()
    for graded in results:
        if (report := graded.report) is None:
            cells, points = {}, "not graded"
        else:
            marks = marked.get((assignment, report.student))
            held = {mark.name: mark for mark in marks.each} if marks else {}
            cells = {
                each.name: _exercise_cell(each, held.get(each.name)) for each in report.exercises
            }
            cells |= {each.name: _written_cell(held.get(each.name)) for each in report.manual}
            total = marks or report
            points = f"{in_digits(total.score)}/{in_digits(total.max_score)}"
        for name, column in columns:
            column.append(cells.get(name, Text()))
        totals.append(Text(points))
    return [*columns, ("points graded so far", totals)]


def _groups(columns: Iterable[_Column], room: int) -> Iterator[list[_Column]]:
    """Yield as many columns at a time as `room` holds, and never none."""
    group, left = list[_Column](), room
    for column in columns:
        needed = _width(column) + _BORDER
        if group and needed + 1 > left:
            yield group
            group, left = [], room
        group.append(column)
        left -= needed
    yield group


def _width(column: _Column) -> int:
    header, cells = column
    lines = (line for text in (header, *map(str, cells)) for line in text.split("\n"))
    return max(map(cell_len, lines))


def _in_lines(name: str) -> str:
    """Return a header with a line for each of its words, of which Python's names have some, too."""
    return re.sub(r" |(?<=_)(?=[^_])|(?<=[a-z0-9])(?=[A-Z])", "\n", name)


def _exercise_cell(exercise: ExerciseReport, mark: Mark | None) -> Text:
    """Return the points with a sign: those that a person gave go before the grader's."""
    if mark is not None and mark.by_hand:
        return _written_cell(mark)
    if not exercise.is_graded and (mark is None or mark.score is None):
        return Text(f"/{in_digits(exercise.max_score)} ").append(_FAULT, style="bold red")
    score, most = exercise.score, exercise.max_score
    if mark is not None and mark.score is not None:
        score, most = mark.score, mark.max_score  # after what was decided
    sign, style = _SIGNS.get(exercise.outcome, (_FAULT, "bold red"))
    return Text(f"{in_digits(score)}/{in_digits(most)} ").append(sign, style=style)


def _written_cell(mark: Mark | None) -> Text:
    if mark is None or mark.score is None:
        points = f"/{in_digits(mark.max_score)} " if mark else ""
        return Text(points).append(_WAITS, style="yellow")
    sign = _BY_HAND if mark.by_hand else _SIGNS[Outcome.NOT_ATTEMPTED][0]
    return Text(f"{in_digits(mark.score)}/{in_digits(mark.max_score)} {sign}")
