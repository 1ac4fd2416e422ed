"""The program: its options, and what its commands share."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

import autograder
from autograder.errors import shown

if TYPE_CHECKING:
    from autograder.course import Course
    from autograder.grading.settings import Settings
    from autograder.sandbox.limits import Isolation

app = typer.Typer(
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

CORES = len(os.sched_getaffinity(0))  # that we may use

Assignments = Annotated[
    list[str] | None, typer.Argument(help="The assignments; all of them if none is named.")
]
Seed = Annotated[
    int | None, typer.Option(help="Draw hidden inputs from this seed, not from the course's own.")
]
Host = Annotated[
    str, typer.Option(help="The address to listen at; only this machine reaches 127.0.0.1.")
]
NewFolder = Annotated[Path, typer.Argument(metavar="DIR", help="A new folder, or an empty one.")]
Jobs = Annotated[int, typer.Option(min=1, help="How many submissions to grade at once.")]
SectionName = Annotated[
    str | None, typer.Option("--section", help="Only the students of this section, by roster.csv.")
]
SkipSlow = Annotated[bool, typer.Option("--skip-slow", help="Skip the tests that take minutes.")]
Unsafe = Annotated[
    bool, typer.Option("--unsafe", help="Run student code even where nothing confines it.")
]


def _show_version(is_asked: bool) -> None:
    if is_asked:
        typer.echo(f"autograder {autograder.__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool,
        typer.Option(
            "--version", is_eager=True, callback=_show_version, help="Show the version, and exit."
        ),
    ] = False,
    debug: Annotated[
        bool,
        typer.Option("--debug", help="Show the traceback of an error; works anywhere on the line."),
    ] = False,
) -> None:
    """Autograded homework: sandboxed, diagnosed, recorded by nbgrader."""
    os.umask(0o077)  # what it writes is about students


def open_course(*, of_demo: bool = False) -> Course:
    """Return the course that the working directory lies in; say what the environment overrides.

    With `of_demo`, it is the copy in which the demo was played. From now on, files are for this
    user alone, or for the group that shares the course.
    """
    from autograder.course import Course

    course = Course.find()
    os.umask(0o007 if course.settings.share == "group" else 0o077)
    note(*course.overrides)
    if of_demo:
        from autograder.demo import open_demo

        return open_demo(course)
    return course


def own_name() -> str:
    from autograder.course.locking import user_name  # here: it takes as long as the rest of this

    return user_name()


def isolation_here(unsafe: bool) -> Isolation:
    """Return the strongest level that works here; `unsafe` accepts none, with a banner."""
    from autograder.sandbox.host.probe import strongest
    from autograder.sandbox.limits import Isolation

    isolation = strongest(allow_unsafe=unsafe)
    if isolation is Isolation.UNSAFE:
        banner = "UNSAFE: nothing confines the students' code on this machine."
        typer.secho(banner, err=True, bold=True)
    return isolation


def settings_of(seed: int | None, unsafe: bool) -> Settings:
    """Return how to grade; a `seed` stands for the course's."""
    from autograder.grading.settings import Settings

    course = open_course()
    # Workers are told the seed: none of them draws one, wherever they run.
    course = course.with_seed(course.seed if seed is None else seed)
    return Settings(course, isolation_here(unsafe))


def note(*sentences: str) -> None:
    """Tell something that isn't an error, a line each."""
    for sentence in sentences:
        typer.echo(f"note: {shown(sentence)}", err=True)


def tell_errors(sentences: Iterable[str]) -> None:
    for sentence in sentences:
        typer.echo(shown(sentence), err=True)


def finish(failed: object) -> None:
    """End with exit status 1 if anything failed."""
    if failed:
        raise typer.Exit(1)


def in_course(course: Course, path: Path) -> str:
    """Return a path as people read it: from the course's folder, if it lies there."""
    is_inside = path.is_relative_to(course.root)
    return shown(str(path.relative_to(course.root) if is_inside else path))


def named(course: Course, assignments: list[str] | None) -> list[str]:
    return [course.check_assignment(name) for name in assignments or course.assignment_names()]


def tell_changes(course: Course, assignments: Sequence[str]) -> None:
    """Show what changed in marks since this was told last, and write a table of it."""
    from rich.console import Console

    from autograder.gradebook.changes import changes_since, write_changes
    from autograder.statistics.terminal import show_changes

    if changes := changes_since(course, assignments):
        show_changes(changes, Console(highlight=False))
        path = in_course(course, write_changes(course, changes))
        typer.echo(f"What changed since last time: {path}")
