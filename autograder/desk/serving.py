"""The desk's address, its token, and its server."""

from __future__ import annotations

import secrets
import socket
from collections.abc import Callable
from contextlib import suppress
from urllib.parse import quote

import uvicorn

from autograder.course import Course
from autograder.desk import books
from autograder.desk.app import app
from autograder.desk.asked import name_of
from autograder.desk.books import Books
from autograder.desk.guard import Door
from autograder.errors import CourseError

LOCAL = "127.0.0.1"


def serve(
    course: Course, grader: str, tell: Callable[[str], None], host: str = LOCAL, port: int = 0
) -> None:
    """Serve the desk of `course` until it is interrupted; `tell` is told its address.

    Raises `CourseError` if nothing is recorded yet, or if nobody can listen at `host` and `port`;
    port 0 is any that is free.
    """
    name = name_of(grader)
    with books.opened(course) as open_books, _listening(host, port) as listening:
        door = Door(host, listening.getsockname()[1], secrets.token_urlsafe(24))
        made = server(open_books, door, name)
        tell(f"The desk is open at {address(door)} (Ctrl+C closes it)")
        if not door.is_local:
            tell(
                "Others can reach it, and nothing encrypts what passes: let them come through an "
                "SSH tunnel where you don't trust the network. Whoever has the address can grade."
            )
        with suppress(KeyboardInterrupt):  # that is how it is closed
            made.run(sockets=[listening])


def server(open_books: Books, door: Door, grader: str) -> uvicorn.Server:
    """Return the server of the desk's pages, to be run with a socket that listens."""
    open_books.reader.warm()
    return uvicorn.Server(
        uvicorn.Config(
            app(open_books, door, grader),
            access_log=False,  # its first line would hold the token
            log_level="warning",
            server_header=False,
            proxy_headers=False,
            lifespan="off",
            ws="none",
            timeout_graceful_shutdown=2,
        )
    )


def address(door: Door) -> str:
    """Return the address to open in a browser."""
    host = socket.gethostname() if door.host in ("0.0.0.0", "::") else door.host  # noqa: S104
    shown = f"[{host}]" if ":" in host else host
    return f"http://{shown}:{door.port}/?token={quote(door.token)}"


def _listening(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family)
    except OSError as error:
        raise CourseError(
            f"The desk can't listen at {host}, port {port} ({error.strerror}): choose another by "
            "--host or --port."
        ) from None
