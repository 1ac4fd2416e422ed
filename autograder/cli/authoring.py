"""Commands that make a course and its assignments."""

import shlex
from typing import Annotated

import typer

from autograder.cli.app import (
    CORES,
    Assignments,
    NewFolder,
    SkipSlow,
    Unsafe,
    app,
    finish,
    in_course,
    isolation_here,
    named,
    open_course,
)

PANEL = "Write assignments"


@app.command(rich_help_panel=PANEL)
def init(folder: NewFolder) -> None:
    """Create a course, with one small assignment that works."""
    from autograder.course import scaffold

    scaffold.init(folder)
    typer.echo(
        f"Made a course in {folder}: its README.md says what lies where. Next:\n\n"
        f"  cd {shlex.quote(str(folder))}\n"
        "  make demo    # grade an invented class, from release to feedback\n"
        "  make test    # try the hidden tests on right and wrong answers\n"
        "  . .venv/bin/activate    # in each new terminal: makes `autograder` known there\n"
        "  autograder new hw2_regression fit_line    # begin an assignment of your own"
    )


@app.command(rich_help_panel=PANEL)
def new(
    assignment: Annotated[str, typer.Argument(help="A new or an existing assignment.")],
    exercise: Annotated[
        str, typer.Argument(help="The function or class that students write.")
    ] = "",
    kind: Annotated[
        str, typer.Option(help="What its hidden tests look at, such as table, text or figure.")
    ] = "array",
) -> None:
    """Add an assignment, or an exercise to one: a skeleton that runs at once."""
    from autograder.course import scaffold

    for path in scaffold.new(open_course(), assignment, exercise, kind):
        typer.echo(f"Wrote {path}")
    typer.echo(
        "Edit these, beginning with the first; rename the answers and add others. Then run "
        f"`autograder test {assignment}` and `autograder release {assignment}`."
    )


@app.command(rich_help_panel=PANEL)
def release(assignments: Assignments = None) -> None:
    """Build the students' notebooks from the solutions."""
    from autograder.authoring.notes.author import are_out_of_date
    from autograder.authoring.release import release as release_assignments

    course = open_course()
    names = named(course, assignments)
    for name in names:
        uses_torch = "import torch" in (course.solutions / f"{name}.py").read_text("utf-8")
        if uses_torch and are_out_of_date(course, name):
            typer.echo(
                f"{name}: its locked notes are made anew. With PyTorch that may take minutes."
            )
    for path in release_assignments(course, names):
        typer.echo(f"Released {in_course(course, path)}")


@app.command(rich_help_panel=PANEL)
def test(
    assignments: Assignments = None,
    exercise: Annotated[
        list[str] | None, typer.Option(help="Try this exercise alone; may be repeated.")
    ] = None,
    skip_slow: SkipSlow = False,
    jobs: Annotated[int, typer.Option(min=1, help="How many exercises to try at once.")] = CORES,
    seeds: Annotated[
        int, typer.Option(min=0, help="Try right answers under so many further seeds.")
    ] = 0,
    unsafe: Unsafe = False,
) -> None:
    """Try the hidden tests on the solutions, on right and wrong answers, and on misconceptions.

    Exit status 1 if any of them doesn't get the marks that it should.
    """
    from autograder.authoring.trials import try_course

    course = open_course()
    names = named(course, assignments)
    problems = 0
    isolation = isolation_here(unsafe)
    for result in try_course(
        course, names, isolation, jobs, only=exercise or (), skip_slow=skip_slow, seeds=seeds
    ):
        typer.echo(result.summary())
        for sentence in result.problems:
            typer.echo(f"  {sentence}")
        problems += len(result.problems)
    finish(problems)
