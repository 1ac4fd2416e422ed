"""Commands of the server where students hand in."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from autograder.cli.app import CORES, Host, Jobs, Unsafe, app, isolation_here, note, open_course
from autograder.errors import CourseError

if TYPE_CHECKING:
    from autograder.course import Course

DAYS = 14  # for which an invitation is good unless somebody says otherwise
LOCAL = "127.0.0.1"

PANEL = "A website of your own"
serve_commands = typer.Typer(
    invoke_without_command=True, help="Let students hand in, and get feedback at once."
)
app.add_typer(serve_commands, name="serve", rich_help_panel=PANEL)

OfDemo = Annotated[bool, typer.Option("--demo", help="Serve the demo's class.")]


@serve_commands.callback()
def serve(
    context: typer.Context,
    host: Host = LOCAL,
    port: Annotated[int, typer.Option(min=1, max=65535, help="The port to listen at.")] = 8000,
    jobs: Jobs = CORES,
    proxy: Annotated[
        list[str] | None,
        typer.Option(help="The address of a proxy that is trusted to say who asks, and how."),
    ] = None,
    certificate: Annotated[
        Path | None, typer.Option(exists=True, help="A certificate, for TLS without a proxy.")
    ] = None,
    key: Annotated[
        Path | None, typer.Option(exists=True, help="The key to the certificate.")
    ] = None,
    of_demo: OfDemo = False,
    unsafe: Unsafe = False,
) -> None:
    """Let students hand in, and get feedback at once. Browsers must reach it at `serve.address`."""
    if context.invoked_subcommand:
        return
    from autograder.grading.settings import Settings
    from autograder.serve.serving import Where
    from autograder.serve.serving import serve as open_server

    if key and not certificate:
        raise CourseError("--key belongs to a certificate: name that by --certificate.")
    course = open_course()
    if of_demo:
        course = _demo_with_invitations(course, port)
    elif host == LOCAL and not (proxy or certificate or course.settings.serve.has_address):
        course = course.at_address(f"http://{LOCAL}:{port}")
    settings = Settings(course.with_seed(course.seed), isolation_here(unsafe))
    open_server(settings, jobs, Where(host, port, proxy or [], certificate, key), typer.echo)


@serve_commands.command()
def invite(
    students: Annotated[
        list[str] | None, typer.Argument(help="Students, by id; or names, with --role.")
    ] = None,
    everybody: Annotated[bool, typer.Option("--all", help="All students of roster.csv.")] = False,
    role: Annotated[
        Literal["student", "ta", "instructor"], typer.Option(help="The role that they have.")
    ] = "student",
    section: Annotated[
        list[str] | None, typer.Option(help="A section that a TA sees; without any, all of them.")
    ] = None,
    days: Annotated[int, typer.Option(min=1, max=366, help="Days until a link expires.")] = DAYS,
    of_demo: OfDemo = False,
) -> None:
    """Print a link for each person that signs in once: to send by mail, or on paper."""
    from autograder.serve.invites import invite_each, students_named
    from autograder.serve.people import Identity, Role
    from autograder.serve.store import open_store

    course, names, as_what = open_course(of_demo=of_demo), students or [], Role(role)
    if bool(names) == everybody or (everybody and as_what is not Role.STUDENT):
        raise CourseError("Name who is invited, or say --all for all students.")
    if as_what is Role.STUDENT:
        people = students_named(course, names)
    else:
        people = [Identity(name, as_what, tuple(section or ())) for name in names]
    with open_store(course) as store:
        for who, link in invite_each(store, people, timedelta(days=days)):
            typer.echo(f"{who.person}\t{link}")
    site = course.settings.serve
    if not (of_demo or site.has_address):
        note(
            f"These links lead to {site.address}, which opens on this machine alone: set `address` "
            "below [serve] in course.toml, and invite again."
        )


@serve_commands.command()
def revoke(
    people: Annotated[list[str], typer.Argument(help="Whose links, sessions and tokens end.")],
    of_demo: OfDemo = False,
) -> None:
    """End the links of these people, and sign them out everywhere."""
    from autograder.serve.invites import revoke as end
    from autograder.serve.store import open_store

    with open_store(open_course(of_demo=of_demo)) as store:
        links, sessions, tokens = end(store, people)
    typer.echo(f"Ended: links ({links}), sessions ({sessions}), tokens ({tokens})")


def _demo_with_invitations(course: Course, port: int) -> Course:
    """Return the demo's course, and print a link for some of its people, each in their role."""
    from autograder.demo import demo_to_serve
    from autograder.serve.invites import invite_each
    from autograder.serve.people import Identity, Role
    from autograder.serve.store import open_store

    copy = demo_to_serve(course).at_address(f"http://{LOCAL}:{port}")
    students = zip(("a student", "another student"), copy.people, strict=False)
    people = {what: Identity(each.student_id) for what, each in students} | {
        "a teaching assistant, of section A": Identity("tim", Role.TA, ("A",)),
        "the instructor": Identity("ida", Role.INSTRUCTOR),
    }
    with open_store(copy) as store:
        links = invite_each(store, people.values(), timedelta(days=1))
        for what, (who, link) in zip(people, links, strict=True):
            typer.echo(f"{what}, {who.person}: {link}")
    return copy
