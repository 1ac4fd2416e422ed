"""Commands that take work from learning platforms, and give points and pages back."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from autograder.cli.app import (
    Assignments,
    SectionName,
    app,
    finish,
    in_course,
    named,
    note,
    open_course,
)
from autograder.errors import counted

PANEL = "Learning platforms"
roster_commands = typer.Typer(no_args_is_help=True, help="Who is in the course: roster.csv.")
app.add_typer(roster_commands, name="roster", rich_help_panel=PANEL)

# The platforms of platforms/exporting.py.
ExportTarget = Literal["canvas", "moodle", "gradescope", "csv"]
ReturnTarget = Literal["canvas", "moodle"]
PackagePlatform = Literal["gradescope", "classroom50"]  # those that grade where students hand in


@roster_commands.command("import")
def import_roster(
    file: Annotated[
        Path, typer.Argument(help="A Canvas gradebook, Moodle worksheet or Gradescope roster.")
    ],
    section: Annotated[
        str | None,
        typer.Option(help="The column of sections, where its title doesn't say so."),
    ] = None,
) -> None:
    """Add students, with their sections and the ids that a platform gives them, to roster.csv.

    A table of your own with a column student_id or emails adds sections as well.
    """
    from autograder.platforms.collecting import roster_import

    result = roster_import.import_roster(open_course(), file, section)
    note(*result.notes)
    typer.echo(result.summary())


@app.command(rich_help_panel=PANEL)
def collect(
    source: Annotated[
        Path, typer.Argument(help="The zip file, tar file or folder that the platform handed out.")
    ],
    platform: Annotated[
        str | None,
        typer.Option("--from", help="canvas, moodle, gradescope, classroom50 or folder."),
    ] = None,
    roster: Annotated[
        Path | None, typer.Option(help="The roster to use in place of roster.csv.")
    ] = None,
) -> None:
    """Put what a learning platform collected where submissions belong.

    Exit status 1 while unassigned.csv asks about any of it.
    """
    from autograder.platforms.collecting.collect import collect_archive

    found = collect_archive(open_course(), source, platform, roster)
    typer.echo(f"From: {found.plan.platform}")
    note(*found.notes)
    for each in found.placed:
        if each.is_late:
            by = f" by {each.late_by}" if each.late_by else ", by the platform's own flag"
            typer.echo(f"late{by}: {each.student}, {each.assignment}")
    typer.echo(found.summary())
    if found.plan.to_assign:
        typer.echo("Complete unassigned.csv, and collect the same again.", err=True)
    if found.plan.without_notebook:
        said = "Ask who handed in no notebook for one, or write - as student_id in unassigned.csv."
        typer.echo(said, err=True)
    finish(found.plan.asked)


@app.command(rich_help_panel=PANEL)
def export(
    to: Annotated[ExportTarget, typer.Option("--to", help="The platform, or csv for a table.")],
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[FILE] [ASSIGNMENT]...",
            help="For canvas and moodle, the CSV file that the platform exported; then the "
            "assignments, all of them if none is named.",
        ),
    ] = None,
    out: Annotated[Path | None, typer.Option(help="The file to write.")] = None,
    column: Annotated[
        list[str] | None, typer.Option(help="ASSIGNMENT='TITLE (ID)': its column in the file.")
    ] = None,
    by_exercise: Annotated[
        bool, typer.Option("--by-exercise", help="Add a column for each exercise.")
    ] = False,
    partial: Annotated[
        bool,
        typer.Option("--partial", help="Give the points so far where some aren't graded."),
    ] = False,
    scale: Annotated[
        bool, typer.Option("--scale", help="Convert to the platform's points where they differ.")
    ] = False,
    section: SectionName = None,
) -> None:
    """Fill the gradebook or worksheet that a platform exported, or write a table of grades.

    What isn't graded yet is left as it is.

    Exit status 1 if the file lacks a student who handed in.
    """
    from autograder.platforms.exporting import columns_in, export_points
    from autograder.platforms.points import Choices

    course = open_course()
    columns, students = columns_in(course, column or []), course.section(section)
    choices = Choices(columns, partial, scale, by_exercise, students)
    path, done = export_points(course, to, words or [], choices, out)
    note(*done.notes)
    typer.echo(f"Wrote {in_course(course, path)}: {done.summary()}")
    finish(done.lost)


@app.command("return", rich_help_panel=PANEL)
def return_feedback(
    to: Annotated[ReturnTarget, typer.Option("--to", help="The platform.")],
    assignments: Assignments = None,
    out: Annotated[
        Path | None, typer.Option(help="The folder for the zip files, in place of exports/.")
    ] = None,
) -> None:
    """Pack feedback pages into zip files that a platform's bulk upload takes.

    Exit status 1 if a student's pages can't be returned so.
    """
    from autograder.platforms.exporting import pack_feedback

    course, left_out = open_course(), 0
    for name in named(course, assignments):
        path = (out or course.exports) / f"{name}-feedback-{to}.zip"
        done = pack_feedback(course, to, name, path)
        note(*done.notes)
        if done.students:
            students = counted(done.students, "student")
            typer.echo(f"Wrote {in_course(course, path)}: feedback for {students}")
        left_out += done.left_out
    finish(left_out)


@app.command(rich_help_panel=PANEL)
def package(
    platform: Annotated[PackagePlatform, typer.Argument(help="Where students hand in.")],
    assignment: Annotated[str, typer.Argument(help="The assignment to be graded there.")],
) -> None:
    """Make the zip that grades an assignment where students hand in, for instant feedback."""
    from autograder.platforms.packaging.bundle import write_package

    course = open_course()
    path = write_package(course, platform, assignment)
    if course.settings.feedback_from(assignment):
        note(
            "What is packaged tells students their results when they hand in: `feedback_from` "
            "applies only here. On Gradescope, `gradescope.visibility` says when they see them."
        )
    typer.echo(f"Wrote {in_course(course, path)} ({path.stat().st_size >> 10} KB).")
    typer.echo("It holds the hidden tests, the solution and the seed: keep it from students.")
