"""The command line: `python -m autograder`. Each command is a thin line over one module.

Imports stand inside the commands, so that `--help` answers at once.
"""

from __future__ import annotations

import os
import shlex
import sys
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from autograder.errors import AutograderError, SubmissionError
from autograder.sandbox.host.program import ONE_THREAD

if TYPE_CHECKING:
    from collections.abc import Sequence

    from autograder.classroom.worker import Graded
    from autograder.course import Course
    from autograder.grading.settings import Settings
    from autograder.sandbox.isolation import Isolation

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)

roster_commands = typer.Typer(no_args_is_help=True, help="Who is in the course: roster.csv.")
app.add_typer(roster_commands, name="roster")

CORES = len(os.sched_getaffinity(0))  # that we may use

Assignments = Annotated[
    list[str] | None, typer.Argument(help="Which assignments; all if none is named.")
]
Seed = Annotated[
    int | None, typer.Option(help="What hidden inputs are drawn from, not what course.toml says.")
]
Jobs = Annotated[int, typer.Option(min=1, help="How many submissions to grade at once.")]
SkipSlow = Annotated[
    bool, typer.Option("--skip-slow", help="Leave out the tests that need minutes.")
]
Unsafe = Annotated[
    bool, typer.Option("--unsafe", help="Run student code even where nothing confines it.")
]

# The values of platforms/export.py and platforms/feedback_zip.py.
ExportTarget = Literal["canvas", "moodle", "gradescope", "csv"]
ReturnTarget = Literal["canvas", "moodle"]


class PackageFor(StrEnum):
    """The platforms that grade where students hand in."""

    GRADESCOPE = "gradescope"
    CLASSROOM50 = "classroom50"


@app.callback()
def options(
    debug: Annotated[
        bool, typer.Option("--debug", help="Show a traceback with an error; anywhere on the line.")
    ] = False,
) -> None:
    """Autograded homework: sandboxed, diagnosed, recorded by nbgrader."""


@app.command()
def init(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A new folder, or an empty one.")],
) -> None:
    """Make a new course, with one small assignment that works."""
    from autograder.course import scaffold

    scaffold.init(folder)
    typer.echo(
        f"Made a course in {folder}: its README.md says what lies where. Next:\n\n"
        f"  cd {shlex.quote(str(folder))}\n"
        "  make demo    # grade an invented class, from release to feedback\n"
        "  make test    # try the hidden tests on right and wrong answers\n"
        "  autograder new hw2_regression fit_line    # begin an assignment of your own"
    )


@app.command()
def new(
    assignment: Annotated[str, typer.Argument(help="A new assignment, or one that there is.")],
    exercise: Annotated[
        str, typer.Argument(help="The function or class that students write.")
    ] = "",
) -> None:
    """Add an assignment, or an exercise to one: a skeleton that runs at once."""
    from autograder.course import scaffold

    for path in scaffold.new(_course(), assignment, exercise):
        typer.echo(f"Wrote {path}")
    typer.echo(
        "Edit these, from the first on; rename the answers and add others. Then run "
        f"`autograder test {assignment}` and `autograder release {assignment}`."
    )


@app.command()
def release(assignments: Assignments = None) -> None:
    """Make the students' notebooks from the solutions."""
    from autograder.authoring.release import release as release_assignments

    course = _course()
    for path in release_assignments(course, _named(course, assignments)):
        typer.echo(f"Released {path.relative_to(course.root)}")


@app.command()
def test(
    assignments: Assignments = None,
    skip_slow: SkipSlow = False,
    jobs: Annotated[int, typer.Option(min=1, help="How many exercises to try at once.")] = CORES,
    unsafe: Unsafe = False,
) -> None:
    """Try the hidden tests on the solutions, on right and wrong answers, and on misconceptions.

    Exit status 1 if one of them doesn't get what it should.
    """
    from autograder.authoring.trials import try_course

    course = _course()
    names = _named(course, assignments)
    problems = 0
    for result in try_course(course, names, _isolation(unsafe), jobs, skip_slow=skip_slow):
        typer.echo(result.summary())
        for sentence in result.problems:
            typer.echo(f"  {sentence}")
        problems += len(result.problems)
    if problems:
        raise typer.Exit(1)


@roster_commands.command("import")
def import_roster(
    file: Annotated[
        Path, typer.Argument(help="A Canvas gradebook, Moodle worksheet or Gradescope roster.")
    ],
) -> None:
    """Take students, and a platform's ids of them, into roster.csv."""
    from autograder.platforms.incoming.roster_import import import_into

    result = import_into(_course(), file)
    for sentence in result.notes:
        _note(sentence)
    typer.echo(result.summary())


@app.command()
def collect(
    source: Annotated[Path, typer.Argument(help="A zip file, tar file or folder of what came in.")],
    platform: Annotated[
        str | None,
        typer.Option("--from", help="canvas, moodle, gradescope, classroom50 or folder."),
    ] = None,
    roster: Annotated[
        Path | None, typer.Option(help="Who is in the course, if not roster.csv says it.")
    ] = None,
) -> None:
    """Put what a learning platform collected where submissions belong.

    Exit status 1 while unassigned.csv asks about some.
    """
    from autograder.platforms.incoming.collect import collect as collect_from

    found = collect_from(_course(), source, platform, roster)
    typer.echo(f"From: {found.title}")
    for sentence in found.notes:
        _note(sentence)
    for each in found.placed:
        if each.is_late:
            by = f" by {each.late_by}" if each.late_by else ", by the platform's own flag"
            typer.echo(f"late{by}: {each.student}, {each.assignment}")
    typer.echo(found.summary())
    if found.to_assign:
        typer.echo("Complete unassigned.csv, and collect the same again.", err=True)
        raise typer.Exit(1)


@app.command()
def check(
    notebook: Annotated[Path, typer.Argument(help="A notebook of this course.")],
    json: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False,
    full_marks: Annotated[
        bool, typer.Option("--full-marks", help="Exit with status 1 below full marks.")
    ] = False,
    min_score: Annotated[
        float | None, typer.Option(help="Exit with status 1 below this score.")
    ] = None,
    skip_slow: SkipSlow = False,
    seed: Seed = None,
    unsafe: Unsafe = False,
) -> None:
    """Grade one notebook file alone; nothing is recorded."""
    from rich.console import Console

    from autograder.grading.grader import check_file
    from autograder.pages.tables import shortfall, show_report

    try:
        report = check_file(notebook, replace(_settings(seed, unsafe), skip_slow=skip_slow))
    except SubmissionError as error:
        typer.echo(f"{notebook.name}: {error}", err=True)
        raise typer.Exit(2) from None
    if json:
        typer.echo(report.to_json(), nl=False)
    else:
        show_report(report, Console(highlight=False))
    wanted = report.max_score if full_marks else min_score
    if wanted is not None and (said := shortfall(report, wanted)):
        typer.echo(said, err=True)
        raise typer.Exit(1)


@app.command()
def grade(
    assignments: Assignments = None,
    student: Annotated[str | None, typer.Option(help="Grade this student alone.")] = None,
    jobs: Jobs = CORES,
    scheduler: Annotated[
        str | None, typer.Option(help="Grade on a Dask cluster: tcp://<host>:<port>.")
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Grade again what was graded by the same rules.")
    ] = False,
    seed: Seed = None,
    unsafe: Unsafe = False,
) -> None:
    """Grade what was handed in, and record it in nbgrader's gradebook.

    What was graded before is not graded again, unless the notebook or the tests have changed.
    Exit status 1 if the grader failed somewhere: it says where, and nobody loses points for it.
    """
    from functools import partial

    from autograder.classroom.executors import cluster_workers, local_workers
    from autograder.classroom.run import find_submissions, grade_class
    from autograder.gradebook import record_class

    settings = _settings(seed, unsafe)
    found = find_submissions(settings.course, _named(settings.course, assignments), student)
    assigned = {job.assignment for job in found}
    workers = partial(local_workers, min(jobs, len(found)), settings.course, assigned)
    if scheduler:
        workers = partial(cluster_workers, scheduler)
    graded = grade_class(settings, found, workers, force=force, announce=_note)
    results, not_recorded = record_class(settings.course, graded)
    is_faulty = _show_class(settings.course, results)
    for sentence in not_recorded:
        typer.echo(sentence, err=True)
    if not_recorded or is_faulty:
        raise typer.Exit(1)


@app.command()
def feedback(assignments: Assignments = None) -> None:
    """Write the pages that students get back."""
    from autograder.gradebook import generate_feedback

    course = _course()
    generate_feedback(course, _named(course, assignments))
    typer.echo(f"Feedback lies in {course.feedback.relative_to(course.root)}/")


@app.command()
def export(
    to: Annotated[ExportTarget, typer.Option("--to", help="Where the points go.")],
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[FILE] [ASSIGNMENT]...",
            help="For canvas and moodle, the CSV file that the platform exported; then which "
            "assignments, all if none is named.",
        ),
    ] = None,
    out: Annotated[Path | None, typer.Option(help="The file to write.")] = None,
    column: Annotated[
        list[str] | None, typer.Option(help="ASSIGNMENT='TITLE (ID)': its column in the file.")
    ] = None,
    by_exercise: Annotated[
        bool, typer.Option("--by-exercise", help="One column an exercise too.")
    ] = False,
    partial: Annotated[
        bool, typer.Option("--partial", help="Give the points so far where not all is graded.")
    ] = False,
    scale: Annotated[
        bool, typer.Option("--scale", help="Convert to the platform's points, where they differ.")
    ] = False,
) -> None:
    """Fill the gradebook or worksheet that a platform exported, or write a table of grades.

    What isn't graded yet is left as it is. Exit status 1 if the file lacks a student who handed in.
    """
    from autograder.platforms.outgoing.export import Target, columns_in
    from autograder.platforms.outgoing.export import export as export_points
    from autograder.platforms.outgoing.exported import Choices

    course = _course()
    choices = Choices(columns_in(course, column or []), partial, scale, by_exercise)
    path, done = export_points(course, Target(to), words or [], choices, out)
    for sentence in done.notes:
        _note(sentence)
    typer.echo(f"Wrote {_shown(course, path)}: {done.summary()}")
    if done.lost:
        raise typer.Exit(1)


@app.command("return")
def return_feedback(
    to: Annotated[ReturnTarget, typer.Option("--to", help="Where the pages are uploaded.")],
    assignments: Assignments = None,
    out: Annotated[
        Path | None, typer.Option(help="The folder for the zip files, not exports/.")
    ] = None,
) -> None:
    """Pack feedback pages into zip files that a platform's bulk upload takes.

    Exit status 1 if a student's pages can't be returned so.
    """
    from autograder.platforms.outgoing.feedback_zip import Target, pack

    course, left_out = _course(), 0
    for name in _named(course, assignments):
        path = (out or course.exports) / f"{name}-feedback-{to}.zip"
        done = pack(course, Target(to), name, path)
        for sentence in done.notes:
            _note(sentence)
        if done.path:
            typer.echo(f"Wrote {_shown(course, path)}: feedback for {_students(done.students)}")
        left_out += done.left_out
    if left_out:
        raise typer.Exit(1)


@app.command()
def report(assignments: Assignments = None) -> None:
    """Write a page an assignment on what the class understood, for the instructor."""
    from autograder.pages import class_report

    course = _course()
    for name in _named(course, assignments):
        path = class_report.write(course, name)
        where = path.relative_to(course.root) if path else "not graded yet: run `make grade`"
        typer.echo(f"{name}: {where}")


@app.command()
def package(
    platform: Annotated[PackageFor, typer.Argument(help="Where students hand in.")],
    assignment: Annotated[str, typer.Argument(help="The assignment to be graded there.")],
) -> None:
    """Make the zip that grades an assignment where students hand in, for instant feedback."""
    from autograder.platforms.packages import classroom50_package, gradescope_package

    course = _course()
    makers = {
        PackageFor.GRADESCOPE: gradescope_package,
        PackageFor.CLASSROOM50: classroom50_package,
    }
    path = makers[platform].write(course, assignment)
    typer.echo(f"Wrote {path.relative_to(course.root)} ({path.stat().st_size >> 10} KB).")
    typer.echo("It holds the hidden tests, the solution and the seed: keep it from students.")


@app.command()
def formgrader() -> None:
    """Open nbgrader's formgrader, to grade written answers in a browser."""
    from autograder.gradebook import formgrader_command

    course = _course()
    command = formgrader_command(course)
    os.chdir(course.root)
    os.execvp(command[0], command)  # noqa: S606 - a constant of ours, and it takes over


@app.command()
def demo(jobs: Jobs = CORES, unsafe: Unsafe = False) -> None:
    """Grade a bundled class, from release to feedback, beside your own course."""
    from autograder.demo import play

    results, copy = play(_course(), _isolation(unsafe), jobs)
    is_faulty = _show_class(copy, results)
    where = copy.root
    typer.echo(f"Feedback for each student: {where}/feedback/<student>/<assignment>/")
    typer.echo(f"What the class misunderstood: {where}/reports/<assignment>.html")
    if is_faulty:
        raise typer.Exit(1)


def _course() -> Course:
    from autograder.course import Course

    course = Course.find()
    for sentence in course.overrides:
        _note(sentence)
    return course


def _isolation(unsafe: bool) -> Isolation:
    from autograder.sandbox.host.probe import strongest
    from autograder.sandbox.isolation import Isolation

    isolation = strongest(allow_unsafe=unsafe)
    if isolation is Isolation.UNSAFE:
        banner = "UNSAFE: nothing confines the students' code on this machine."
        typer.secho(banner, err=True, bold=True)
    return isolation


def _settings(seed: int | None, unsafe: bool) -> Settings:
    from autograder.grading.settings import Settings

    course = _course()
    if seed is not None:
        course = course.with_seed(seed)
    return Settings(course, _isolation(unsafe))


def _note(sentence: str) -> None:
    typer.echo(f"note: {sentence}", err=True)


def _named(course: Course, assignments: list[str] | None) -> list[str]:
    return [course.check_assignment(name) for name in assignments or course.assignment_names()]


def _students(number: int) -> str:
    return "1 student" if number == 1 else f"{number} students"


def _shown(course: Course, path: Path) -> Path:
    return path.relative_to(course.root) if path.is_relative_to(course.root) else path


def _show_class(course: Course, results: Sequence[Graded]) -> bool:
    """Show a class and the faults of the grader in it; tell whether there are any."""
    from rich.console import Console

    from autograder.classroom.faults import faults_in
    from autograder.gradebook import read_marks
    from autograder.pages.tables import show_class, show_faults

    marks = read_marks(course, sorted({graded.job.assignment for graded in results}))
    marked = {(each.assignment, each.student): each for each in marks}
    show_class(results, Console(highlight=False), marked)
    faults = faults_in(graded.report for graded in results if graded.report)
    show_faults(faults, Console(stderr=True, highlight=False))
    return bool(faults) or any(graded.fault for graded in results)


def main() -> None:
    """Run the command line; a known error is one sentence, unless `--debug` asks for all of it."""
    os.environ.update(ONE_THREAD)
    debug = "--debug" in sys.argv
    if debug:
        sys.argv.remove("--debug")
    try:
        app()
    except AutograderError as error:
        if debug:
            raise
        typer.echo(f"autograder: {error}", err=True)
        sys.exit(1)
    except OSError as error:
        if debug or error.errno is None:
            raise
        where = f" ({error.filename})" if error.filename else ""
        said = f"autograder: {error.strerror}{where}. Fix this and run again: no work is lost."
        typer.echo(said, err=True)
        sys.exit(1)
