"""Commands that grade, and say what this machine offers for that."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from functools import partial
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
    finish,
    isolation_here,
    named,
    note,
    open_course,
    settings_of,
    tell_changes,
    tell_errors,
)
from autograder.course.course import CERTIFICATE
from autograder.errors import SubmissionError, shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from autograder.course import Course
    from autograder.grading.submissions import Graded, Job
    from autograder.work.processes import OpenWorkers

PANEL = "Grade"
Markdown = Annotated[
    Path | None, typer.Option(help="Append summaries to this file; in CI, to $GITHUB_STEP_SUMMARY.")
]

cluster_commands = typer.Typer(no_args_is_help=True, help="Grading on a Dask cluster.")
app.add_typer(cluster_commands, name="cluster", rich_help_panel=PANEL)


@app.command(rich_help_panel=PANEL)
def check(
    notebook: Annotated[Path, typer.Argument(help="A notebook of this course.")],
    json: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False,
    markdown: Markdown = None,
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
    """Grade a single notebook file; nothing is recorded."""
    from rich.console import Console

    from autograder.grading.alone import check_file
    from autograder.telling.record import summary_of
    from autograder.telling.terminal import shortfall, show_report
    from autograder.telling.text import markdown_of

    try:
        report = check_file(notebook, replace(settings_of(seed, unsafe), skip_slow=skip_slow))
    except SubmissionError as error:
        typer.echo(f"{shown(notebook.name or str(notebook))}: {error}", err=True)
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


@app.command(rich_help_panel=PANEL)
def watch(
    folder: Annotated[
        Path, typer.Argument(exists=True, file_okay=False, help="A folder, such as a synced one.")
    ],
    every: Annotated[
        float, typer.Option(min=0.1, help="Seconds between two looks; what is changing waits.")
    ] = 5,
    once: Annotated[bool, typer.Option("--once", help="Grade what is there, and end.")] = False,
    markdown: Markdown = None,
    seed: Seed = None,
    unsafe: Unsafe = False,
) -> None:
    """Grade what appears in a folder, and write feedback beside it; nothing is recorded.

    With --once, exit status 1 if a notebook can't be graded: it says which, and why.
    """
    from autograder.watch import Watch

    settings = settings_of(seed, unsafe)
    if any(map(settings.course.settings.feedback_from, settings.course.released())):
        note("Watching a folder tells results at once: `feedback_from` applies only elsewhere.")
    watched = Watch(settings, folder, typer.echo, markdown)
    if once:
        finish(not watched.once(every))
        return
    typer.echo(f"Watching {watched.folder} (Ctrl+C ends it)")
    with suppress(KeyboardInterrupt):
        watched.keep_on(every)


@app.command(rich_help_panel=PANEL)
def grade(
    assignments: Assignments = None,
    student: Annotated[str | None, typer.Option(help="Grade only this student.")] = None,
    jobs: Jobs = CORES,
    scheduler: Annotated[
        str | None, typer.Option(help="Grade on a Dask cluster: tls://<host>:<port>.")
    ] = None,
    plain_tcp: Annotated[
        bool, typer.Option("--plain-tcp", help="Accept a scheduler that anybody can use.")
    ] = False,
    force: Annotated[
        bool,
        typer.Option("--force", help="Grade everything again, even where nothing has changed."),
    ] = False,
    json_lines: Annotated[
        bool, typer.Option("--json-lines", help="Print one JSON object per line, for a scheduler.")
    ] = False,
    seed: Seed = None,
    unsafe: Unsafe = False,
) -> None:
    """Grade what students handed in, and record it in nbgrader's gradebook.

    What was graded before isn't graded again unless the notebook or the tests have changed.

    Exit status 1 if the grader failed somewhere: it says where, and nobody loses points for it.
    143 if it was ended by a signal: run it again, and it goes on.
    """
    from autograder.grading.progress import JsonLines, in_silence
    from autograder.grading.run import grade_class
    from autograder.grading.submissions import find_submissions, misplaced

    settings, said = settings_of(seed, unsafe), list[str]()
    names = named(settings.course, assignments)
    found = find_submissions(settings.course, names, student, said.append)
    if scheduler:
        workers = _of_cluster(settings.course, scheduler, plain_tcp)
    else:
        workers = _workers(settings.course, found, jobs)
    # here: it takes long to import, and meanwhile a server imports, too
    from autograder.gradebook.recording import points_that_differ, record_class, what_is_gone

    note(*what_is_gone(settings.course), *misplaced(settings.course))
    if json_lines:
        lines = JsonLines(typer.echo)
        graded = grade_class(settings, found, workers, force=force, progress=in_silence)
        _, not_recorded = record_class(settings.course, lines.follow(graded, len(found)))
        others = {"not_recorded": len(not_recorded), "left_out": len(said)}
        failed = bool(said or not_recorded or lines.counts["failed"])
        lines.tell("finished", **lines.counts, **others, status=int(failed))
        finish(failed)
        return
    graded = grade_class(settings, found, workers, force=force, announce=note)
    results, not_recorded = record_class(settings.course, graded)
    is_faulty = _show_class(settings.course, results)
    tell_changes(settings.course, names)
    note(*points_that_differ(settings.course, results))
    tell_errors([*said, *not_recorded])
    finish(said or not_recorded or is_faulty)


def _workers(course: Course, found: Sequence[Job], jobs: int) -> OpenWorkers:
    """Return what opens the workers of this machine; they are made ready if there is work."""
    from autograder.grading.run import modules_to_import
    from autograder.work.processes import local_workers, start_server

    number = min(jobs, len(found) or 1)
    modules = modules_to_import(course, {job.assignment for job in found})
    reports = (course.report_path(job.student, job.assignment) for job in found)
    if number > 1 and not all(path.exists() for path in reports):
        start_server(modules)
        # here: it takes a second to import, which is free while the server imports, too
        import autograder.gradebook.recorder  # noqa: F401
    return partial(local_workers, number, modules)


def _of_cluster(course: Course, scheduler: str, plain: bool) -> OpenWorkers:
    from autograder.work.cluster import cluster_workers, is_encrypted

    if plain and not is_encrypted(scheduler):
        note(f"Whoever reaches {scheduler} can run code as you, and as its workers.")
    return partial(cluster_workers, scheduler, course.root / CERTIFICATE, plain=plain)


@cluster_commands.command()
def certificates() -> None:
    """Make the certificate by which a Dask cluster knows its own scheduler, workers and graders."""
    from autograder.work.cluster import make_certificate

    make_certificate(open_course().root / CERTIFICATE)
    typer.echo(
        f"Wrote {CERTIFICATE}, valid for a year. Whoever has it can run code on the whole cluster: "
        "copy it to the cluster's machines, and to nobody."
    )


@app.command(rich_help_panel=PANEL)
def doctor() -> None:
    """Say what this machine and the course here offer, and what to do about what is wrong.

    Exit status 1 if nothing can confine students' code, or if something is broken.
    """
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from autograder.doctor import examine

    found = list(examine())
    lines = Table.grid(padding=(0, 1))
    for each in found:
        sign = "✗" if each.is_broken else "!" if each.advice else "✓"
        lines.add_row(sign, each.about, Text(shown(each.found)))
        if each.advice:
            lines.add_row("", "", Text(f"→ {shown(each.advice)}"))
    Console(highlight=False).print(lines)
    finish(any(each.is_broken for each in found))


@app.command(rich_help_panel=PANEL)
def demo(jobs: Jobs = CORES, unsafe: Unsafe = False) -> None:
    """Grade a bundled class, from release to feedback, beside your own course."""
    from autograder.demo import play_demo

    results, copy = play_demo(open_course(), isolation_here(unsafe), jobs)
    is_faulty = _show_class(copy, results)
    _show_addresses(copy, results)
    finish(is_faulty)


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
    typer.echo("  the desk, for written answers: the address that `make desk DEMO=1` prints")


def _show_class(course: Course, results: Sequence[Graded]) -> bool:
    """Show a class and the faults of the grader in it; tell whether there are any."""
    from rich.console import Console

    from autograder.gradebook.marks import read_marks
    from autograder.statistics.terminal import faults_in, missing_in, show_class, show_faults

    marks = read_marks(course, sorted({graded.job.assignment for graded in results}))
    marked = {(each.assignment, each.student): each for each in marks}
    show_class(results, Console(highlight=False), marked)
    reports = [graded.report for graded in results if graded.report]
    note(*(each.headline for each in missing_in(reports)))
    faults = faults_in(reports)
    show_faults(faults, Console(stderr=True, highlight=False))
    return bool(faults) or any(graded.fault for graded in results)
