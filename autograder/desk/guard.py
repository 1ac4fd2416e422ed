"""The desk's address, who may ask it, and what a browser may do with its pages.

A request must name this desk as its host (or else: DNS rebinding) and have the cookie that only the
printed address sets; a form must come from one of our own pages.
"""

import hashlib
import hmac
import ipaddress
import secrets
import socket
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from urllib.parse import parse_qs, quote, urlencode

import uvicorn
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp

from autograder import browsers
from autograder.browsers import BrowserGuard, foreign_form, listening, refusal
from autograder.course import Course
from autograder.course.roster import Section
from autograder.course.settings import is_loopback
from autograder.desk.app import app
from autograder.desk.books import Books, open_books
from autograder.desk.request import grader_name

POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src data:; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'"
)


@dataclass(frozen=True)
class Door:
    """Where the desk is open, and the token that opens it."""

    host: str
    port: int
    token: str

    @property
    def address(self) -> str:
        host = socket.gethostname() if self.host in ("0.0.0.0", "::") else self.host  # noqa: S104
        shown = f"[{host}]" if ":" in host else host
        return f"http://{shown}:{self.port}/?token={quote(self.token)}"

    @property
    def cookie(self) -> str:
        """The name of the cookie: a browser sends it to every port of a host."""
        return f"desk_{self.port}"

    def secret(self, purpose: str) -> str:
        """Return what only those know who have the token."""
        return hmac.new(self.token.encode(), purpose.encode(), hashlib.sha256).hexdigest()

    def is_named(self, host: str) -> bool:
        """Tell whether a Host header names this desk.

        An address in numbers can't be anybody else's name; a name must be this machine's own.
        """
        name, colon, port = host.rpartition(":")
        if not colon or host.endswith("]"):  # no port, perhaps behind an IPv6 address
            name, port = host, "80"
        if port != str(self.port):
            return False
        if name in ("localhost", self.host):
            return True
        try:
            address = ipaddress.ip_address(name.strip("[]"))
        except ValueError:
            return not self.is_local and name == socket.gethostname()
        return address.is_loopback or not self.is_local

    @property
    def is_local(self) -> bool:
        """Whether nobody else's machine can reach it."""
        return is_loopback(self.host)


class DeskGuard(BrowserGuard):
    """Lets nothing through that isn't asked by somebody who was given the address."""

    def __init__(self, app: ASGIApp, door: Door) -> None:
        super().__init__(app, POLICY)
        self._door = door

    def refused(self, request: Request) -> Response | None:
        host = request.headers.get("host", "")
        if len(request.headers.getlist("host")) != 1 or not self._door.is_named(host):
            return refusal("This isn't the desk's address: open the one that it printed.", 421)
        if "token" in request.query_params:
            return self._opened(request)
        mine = request.cookies.get(self._door.cookie, "")
        if not browsers.is_same(mine, self._door.secret("session")):
            return refusal("Open the address that `autograder desk` printed, token and all.", 403)
        return foreign_form(request, f"http://{host}")

    def _opened(self, request: Request) -> Response:
        """Take the token out of the address, and keep a cookie instead."""
        if not browsers.is_same(request.query_params["token"], self._door.token):
            return refusal(
                "This token belongs to an earlier desk: open the address that this one printed.",
                403,
            )
        query = parse_qs(request.url.query)
        del query["token"]
        rest = urlencode(query, doseq=True)
        # One slash: two would lead to another site.
        path = "/" + request.url.path.lstrip("/")
        response = browsers.redirect(f"{path}?{rest}" if rest else path)
        response.set_cookie(
            self._door.cookie, self._door.secret("session"), httponly=True, samesite="strict"
        )
        return response


def serve(
    course: Course,
    grader: str,
    tell: Callable[[str], None],
    host: str,
    port: int,
    section: Section,
) -> None:
    """Serve the desk of `course` until it is interrupted; port 0 is any that is free."""
    name = grader_name(grader)
    with open_books(course, section) as books, listening("The desk", host, port) as opened:
        door = Door(host, opened.getsockname()[1], secrets.token_urlsafe(24))
        made = server(books, door, name)
        tell(f"The desk is open at {door.address} (Ctrl+C closes it)")
        if not door.is_local:
            tell(
                "Others can reach it, and nothing encrypts what passes: let them come through an "
                "SSH tunnel where you don't trust the network. Anybody with the address can grade."
            )
        with suppress(KeyboardInterrupt):  # that is how it is closed
            made.run(sockets=[opened])


def server(books: Books, door: Door, grader: str) -> uvicorn.Server:
    books.reader.warm()
    guarded = DeskGuard(app(books, door.secret("form"), grader), door)
    return browsers.server(guarded, proxy_headers=False)
