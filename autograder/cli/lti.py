"""Commands that connect the server to learning platforms by LTI 1.3."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from autograder.cli.app import finish, note, open_course, tell_errors
from autograder.cli.serving import serve_commands
from autograder.errors import CourseError, counted, shown

if TYPE_CHECKING:
    from autograder.serve.lti.platforms import PlatformKind
    from autograder.serve.lti.routes import Tool

lti_commands = typer.Typer(
    no_args_is_help=True, help="Let students come from their learning platform, by LTI 1.3."
)
serve_commands.add_typer(lti_commands, name="lti")


@lti_commands.command()
def add(
    kind: Annotated[str, typer.Argument(help="canvas, moodle, blackboard, brightspace or other.")],
    host: Annotated[str, typer.Option(help="The platform's own, as moodle.example.edu.")] = "",
    client_id: Annotated[str, typer.Option(help="What the platform calls us.")] = "",
    deployment: Annotated[
        list[str] | None, typer.Option(help="A deployment id that it gives; may be repeated.")
    ] = None,
    issuer: Annotated[str, typer.Option(help="Of another kind: its issuer.")] = "",
    login_url: Annotated[str, typer.Option(help="Of another kind: its OIDC login URL.")] = "",
    token_url: Annotated[str, typer.Option(help="Of another kind: its token URL.")] = "",
    keys_url: Annotated[str, typer.Option(help="Of another kind: its key set URL.")] = "",
) -> None:
    """Say what to paste on a platform; with its --client-id, check it and let students come."""
    with _tool() as tool:
        from autograder.serve.lti import platforms
        from autograder.serve.lti.platforms import LtiPlatform

        kinds = platforms.kinds()
        if kind not in (*kinds, "other"):
            there_are = f"choose {', '.join(kinds)} or other"
            raise CourseError(f"There is no kind {shown(kind)!r}: {there_are}.")
        if not client_id:
            _say_what_to_paste(tool, kinds.get(kind))
            return
        if kind == "other":
            said = {"issuer": issuer, "login-url": login_url}
            said |= {"token-url": token_url, "keys-url": keys_url}
            if lacking := ", ".join(f"--{name}" for name, text in said.items() if not text):
                raise CourseError(f"Of another kind, more must be said: {lacking}.")
            known = frozenset(deployment or ())
            platform = LtiPlatform(issuer, client_id, login_url, token_url, keys_url, "", known)
        else:
            platform = kinds[kind].platform(host, client_id, deployment or ())
        number = asyncio.run(platforms.check(platform, tool.outgoing))
        platforms.save(tool.store, platform)
    keys = counted(number, "key")
    typer.echo(f"{platform.issuer} answers, and publishes {keys}. Students can come from there.")
    if not deployment:
        note("No launch is let in without a --deployment: run this again once you know it.")


def _say_what_to_paste(tool: Tool, kind: PlatformKind | None) -> None:
    from autograder.serve.lti.registration import addresses

    ours = addresses(tool.store.site)
    if kind:
        typer.echo(f"{kind.title}: {kind.where}")
    for name, value in (kind.fields(ours) if kind else ours).items():
        typer.echo(f"  {name}:" + "".join(f"\n    {line}" for line in value.splitlines()))
    typer.echo("Then run this again with --client-id and --deployment, as the platform says.")


@lti_commands.command()
def register() -> None:
    """Print an address by which a platform registers itself, where it can."""
    from autograder.serve.lti.registration import offer

    with _tool() as tool:
        typer.echo(offer(tool.store))
    note("It works once, until tomorrow, while the server runs: paste it on the platform.")


@lti_commands.command("list")
def list_() -> None:
    """List platforms, their courses that link here, and scores that couldn't be given back."""
    from autograder.serve.lti import passback, platforms

    with _tool() as tool:
        for line in (*platforms.overview(tool.store), *passback.problems(tool.store)):
            typer.echo(shown(line))


@lti_commands.command()
def accept(
    number: Annotated[int, typer.Argument(help="Its number in `autograder serve lti list`.")],
) -> None:
    """Let people in from a course on a platform, in the roles that they have there."""
    from autograder.serve.lti import launch

    with _tool() as tool:
        typer.echo(f"People can come from: {shown(launch.accept(tool.store, number))}")


@lti_commands.command()
def members() -> None:
    """Bring the members of each platform's course into roster.csv, with their sections."""
    from autograder.serve.lti import roster

    with _tool() as tool:
        found = asyncio.run(roster.fetch(tool.store, tool.services))
    for each in found:
        roles = ", ".join(f"{number} {role}" for role, number in each.roles.items())
        typer.echo(f"{shown(each.title)}: {roles or 'nobody'}; {each.enrolled.added} added")
        note(*each.enrolled.left_out)
    problems = [f"{each.title}: {each.problem}" for each in found if each.problem]
    tell_errors(problems)
    finish(problems)


@lti_commands.command()
def scores() -> None:
    """Give all scores to the platforms that don't have them, also those that were given up."""
    from autograder.serve.lti import passback

    with _tool() as tool:
        passback.owe(tool.store, tool.store.course.released())
        passback.try_all_again(tool.store)
        arrived = 0
        while done := asyncio.run(passback.deliver(tool.store, tool.services)):
            arrived += sum(done)
        problems = passback.problems(tool.store)
    typer.echo(f"{counted(arrived, 'score')} given")
    tell_errors(problems)
    finish(problems)


@contextmanager
def _tool() -> Iterator[Tool]:
    from autograder.serve.doors import ADVICE, has_packages
    from autograder.serve.store import open_store

    if not has_packages():
        raise CourseError(f"LTI needs two packages: {ADVICE}.")
    from autograder.serve.lti.routes import open_tool
    from autograder.serve.outgoing import Outgoing

    with open_store(open_course()) as store:
        yield open_tool(store, Outgoing(plain_http=not store.is_secure))
