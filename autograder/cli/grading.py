"""Commands that grade, and that show what was found."""

from __future__ import annotations

import os
from dataclasses import replace
from getpass import getuser
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from autograder.cli.app import (
    CORES,
    Assignments,
    Jobs,
    Seed,
    SkipSlow,
    Unsafe,
    app,
    isolation_here,
    named,
    note,
    open_course,
    settings_of,
)
from autograder.errors import SubmissionError, shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from autograder.course import Course
    from autograder.grading.worker import Graded


@app.command()
def check(
    notebook: Annotated[Path, typer.Argument(help="A notebook of this course.")],
    json: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False,
    markdown: Annotated[
        Path | None,
        typer.Option(help="Append a summary to this file: in CI, $GITHUB_STEP_SUMMARY."),
    ] = None,
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

    from autograder.grading.worker import check_file
    from autograder.telling.record import summary_of
    from autograder.telling.terminal import shortfall, show_report
    from autograder.telling.text import markdown_of

    try:
        report = check_file(notebook, replace(settings_of(seed, unsafe), skip_slow=skip_slow))
    except SubmissionError as error:
        typer.echo(f"{shown(notebook.name)}: {error}", err=True)
        raise typer.Exit(2) from None
    if json:
        typer.echo(report.to_json(), nl=False)
    else:
        show_report(report, Console(highlight=False))
    if markdown:
        with markdown.open("a", encoding="utf-8") as file:
            file.write(markdown_of(summary_of(report)))
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
        bool,
        typer.Option("--force", help="Grade everything again, even where nothing has changed."),
    ] = False,
    seed: Seed = None,
    unsafe: Unsafe = False,
) -> None:
    """Grade what was handed in, and record it in nbgrader's gradebook.

    What was graded before is not graded again, unless the notebook or the tests have changed.
    Exit status 1 if the grader failed somewhere: it says where, and nobody loses points for it.
    """
    from functools import partial

    from autograder.grading.run import grade_class
    from autograder.grading.submissions import find_submissions
    from autograder.grading.worker import modules_to_import
    from autograder.work.cluster import cluster_workers
    from autograder.work.processes import local_workers, start_server

    settings = settings_of(seed, unsafe)
    left_out: list[str] = []
    names = named(settings.course, assignments)
    found = find_submissions(settings.course, names, student, left_out.append)
    assigned = {job.assignment for job in found}
    number = min(jobs, len(found) or 1)
    modules = modules_to_import(settings.course, assigned)
    workers = partial(local_workers, number, modules)
    reports = (settings.course.report_path(job.student, job.assignment) for job in found)
    if scheduler:
        workers = partial(cluster_workers, scheduler)
    elif number > 1 and not all(path.exists() for path in reports):
        start_server(modules)
    from autograder.gradebook import record_class  # takes long to import: meanwhile the server does

    graded = grade_class(settings, found, workers, force=force, announce=note)
    results, not_recorded = record_class(settings.course, graded)
    is_faulty = _show_class(settings.course, results)
    for sentence in (*left_out, *not_recorded):
        typer.echo(shown(sentence), err=True)
    if left_out or not_recorded or is_faulty:
        raise typer.Exit(1)


@app.command()
def feedback(assignments: Assignments = None) -> None:
    """Write the pages that students get back; one that would be the same stays as it is.

    Exit status 1 if a page can't be written: it says whose, and why.
    """
    from autograder.gradebook.give_feedback import write

    course = open_course()
    written = write(course, named(course, assignments))
    for sentence in written.said:
        typer.echo(shown(sentence), err=True)
    where = course.feedback.relative_to(course.root)
    typer.echo(f"Feedback lies in {where}/: {written.new} written, {written.unchanged} unchanged")
    if not written.is_complete:
        raise typer.Exit(1)


@app.command()
def report(assignments: Assignments = None) -> None:
    """Write a page for each assignment on what the class understood, for the instructor."""
    from autograder.statistics.class_report import write_class_report

    course = open_course()
    for name in named(course, assignments):
        path = write_class_report(course, name)
        where = path.relative_to(course.root) if path else "not graded yet: run `make grade`"
        typer.echo(f"{name}: {where}")


@app.command()
def desk(
    grader: Annotated[
        str, typer.Option(default_factory=getuser, help="Who grades; kept with each grade.")
    ],
    host: Annotated[
        str, typer.Option(help="Where to listen; 127.0.0.1 can be reached from this machine only.")
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="Which port; 0 picks a free one.")
    ] = 0,
    of_demo: Annotated[bool, typer.Option("--demo", help="Open it on the demo's class.")] = False,
) -> None:
    """Open the desk: grade written answers question by question, and decide appeals."""
    from autograder.desk.guard import serve

    course = open_course()
    if of_demo:
        from autograder import demo  # here: it imports all that a class goes through

        course = demo.opened(course)
    serve(course, grader, typer.echo, host, port)


@app.command()
def similar(
    assignments: Assignments = None,
    references: Annotated[
        Path | None,
        typer.Option(help="Compare with the notebooks and <exercise>/*.py in this folder, too."),
    ] = None,
) -> None:
    """Write a page for each assignment on answers that are alike: a hint to look, not a verdict."""
    from autograder.statistics.similar_page import write_similar_page

    course = open_course()
    for name in named(course, assignments):
        path, number = write_similar_page(course, name, references, note)
        pairs = "1 pair" if number == 1 else f"{number} pairs"
        typer.echo(f"{name}: {path.relative_to(course.root)}, {pairs} to look at")


@app.command()
def formgrader() -> None:
    """Open nbgrader's formgrader, its own pages for grading."""
    from autograder.gradebook import formgrader_command

    course = open_course()
    command = formgrader_command(course)
    os.chdir(course.root)
    os.execvp(command[0], command)  # noqa: S606 - a constant of ours, and it takes over


@app.command()
def demo(jobs: Jobs = CORES, unsafe: Unsafe = False) -> None:
    """Grade a bundled class, from release to feedback, beside your own course."""
    from autograder.demo import play

    results, copy = play(open_course(), isolation_here(unsafe), jobs)
    is_faulty = _show_class(copy, results)
    _show_addresses(copy, results)
    if is_faulty:
        raise typer.Exit(1)


def _show_addresses(course: Course, results: Sequence[Graded]) -> None:
    """Tell what to open in a browser, of somebody with something to read."""
    reports = ((each, each.report) for each in results if each.report)
    partly = (each for each, report in reports if report.score < report.max_score)
    job = next(partly, results[0]).job
    typer.echo("To open in a browser:")
    for what, path in (
        ("what a student gets back", course.feedback_path(job.student, job.assignment)),
        ("what the class understood", course.reports / f"{job.assignment}.html"),
    ):
        typer.echo(f"  {what}: {path.as_uri()}")
    typer.echo("  the desk, for written answers: the address that `make desk DEMO=yes` prints")


def _show_class(course: Course, results: Sequence[Graded]) -> bool:
    """Show a class and the faults of the grader in it; tell whether there are any."""
    from rich.console import Console

    from autograder.gradebook import read_marks
    from autograder.statistics.terminal import faults_in, show_class, show_faults

    marks = read_marks(course, sorted({graded.job.assignment for graded in results}))
    marked = {(each.assignment, each.student): each for each in marks}
    show_class(results, Console(highlight=False), marked)
    faults = faults_in(graded.report for graded in results if graded.report)
    show_faults(faults, Console(stderr=True, highlight=False))
    return bool(faults) or any(graded.fault for graded in results)
