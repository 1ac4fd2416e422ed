"""Commands on a class that was graded: what students and instructors read of it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from autograder.cli.app import (
    Assignments,
    Host,
    SectionName,
    app,
    finish,
    in_course,
    named,
    note,
    open_course,
    own_name,
    tell_errors,
)
from autograder.errors import AutograderError, CourseError, counted

if TYPE_CHECKING:
    from collections.abc import Callable

    from autograder.course import Course

PANEL = "Read and give back"


@app.command(rich_help_panel=PANEL)
def feedback(assignments: Assignments = None) -> None:
    """Write the pages that students get back; those that wouldn't change are left alone.

    Exit status 1 if a page can't be written: it says whose, and why.
    """
    from autograder.gradebook.feedback import write_feedback

    course = open_course()
    written = write_feedback(course, named(course, assignments))
    note(*written.notes)
    tell_errors(written.said)
    where = in_course(course, course.feedback)
    typer.echo(f"Feedback lies in {where}/: {written.new} written, {written.unchanged} unchanged")
    finish(not written.is_complete)


@app.command(rich_help_panel=PANEL)
def report(assignments: Assignments = None, section: SectionName = None) -> None:
    """Write a page for the instructor on what the class understood of each assignment."""
    from autograder.statistics.class_report import write_class_report

    course = open_course()
    students = course.section(section)
    for name in named(course, assignments):
        path = write_class_report(course, name, students)
        where = in_course(course, path) if path else "not graded yet: run `make grade`"
        typer.echo(f"{name}: {where}")


@app.command(rich_help_panel=PANEL)
def late(
    assignments: Assignments = None,
    section: SectionName = None,
    csv: Annotated[bool, typer.Option("--csv", help="Write exports/late.csv instead.")] = False,
) -> None:
    """Say who is late with what, what it costs, and where slip days went."""
    from autograder.course.saving import save_whole
    from autograder.gradebook.late_list import by_student, late_lines, late_table
    from autograder.gradebook.lateness import read_lateness

    course = open_course()
    names = named(course, assignments)
    found = by_student(read_lateness(course), course.section(section))
    if csv:
        path = course.exports / "late.csv"
        save_whole(late_table(course, found, names), path)
        typer.echo(f"Wrote {in_course(course, path)}")
    else:
        typer.echo("\n".join(late_lines(course, found, names)))


@app.command(rich_help_panel=PANEL)
def desk(
    grader: Annotated[
        str,
        typer.Option(default_factory=own_name, help="The grader's name, kept with each grade."),
    ],
    host: Host = "127.0.0.1",
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="The port to listen at; 0 picks a free one.")
    ] = 0,
    of_demo: Annotated[bool, typer.Option("--demo", help="Open the demo's class.")] = False,
    section: SectionName = None,
) -> None:
    """Open the desk: grade written answers question by question, and decide appeals."""
    from autograder.desk.guard import serve

    course = open_course(of_demo=of_demo)
    serve(course, grader, typer.echo, host, port, course.section(section))


@app.command(rich_help_panel=PANEL)
def similar(
    assignments: Assignments = None,
    references: Annotated[
        Path | None,
        typer.Option(help="Also compare with the notebooks and <exercise>/*.py in this folder."),
    ] = None,
    earlier: Annotated[
        Path | None,
        typer.Option(help="Also compare with an earlier term: its folder, or its archive."),
    ] = None,
) -> None:
    """Write a page on the similar answers to each assignment: a hint to look, not a verdict."""
    from autograder.statistics.similar import write_similar_page

    course = open_course()

    def write(name: str) -> str:
        path, number = write_similar_page(course, name, references, note, earlier)
        return f"{in_course(course, path)}, {counted(number, 'pair')} to look at"

    _write_where_possible(course, assignments, write)


@app.command(rich_help_panel=PANEL)
def guesses(assignments: Assignments = None) -> None:
    """Write a page on what the class guessed before it ran the experiments, to show in class."""
    from autograder.statistics.guesses import write_guesses_page

    course = open_course()

    def write(name: str) -> str:
        path, number = write_guesses_page(course, name, note)
        return f"{in_course(course, path)}, of {counted(number, 'notebook')}"

    _write_where_possible(course, assignments, write)


def _write_where_possible(
    course: Course, assignments: list[str] | None, write: Callable[[str], str]
) -> None:
    """Say what `write` wrote of each assignment; if none was named, tell of those it refused."""
    refused = []
    names = named(course, assignments)
    for name in names:
        try:
            typer.echo(f"{name}: {write(name)}")
        except AutograderError as why:
            refused.append(str(why) if name in str(why) else f"{name}: {why}")
            if assignments or len(refused) == len(names):
                raise CourseError(refused[-1]) from None
    note(*refused)


@app.command(rich_help_panel=PANEL)
def formgrader() -> None:
    """Open nbgrader's formgrader, its own pages for grading."""
    from autograder.gradebook.steps import formgrader_command

    course = open_course()
    command = formgrader_command(course)
    if not _has_home():
        os.environ["HOME"] = str(course.work)  # Jupyter writes into it
    os.chdir(course.root)
    os.execvp(command[0], command)  # noqa: S606 - a constant of ours, and it takes over


def _has_home() -> bool:
    try:
        return os.access(Path.home(), os.W_OK)
    except RuntimeError:  # of a user that the system doesn't know
        return False
