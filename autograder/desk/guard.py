"""Who may ask the desk, and what a browser may do with its pages.

A request must name this desk as its host, so that no other site's name leads here (DNS rebinding);
it must have the cookie that only the printed address sets; and a form must come from one of our own
pages. The pages' policy allows our own style and our own script, and nothing else.
"""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
import socket
from dataclasses import dataclass
from urllib.parse import parse_qs, urlencode

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'"
)
# A page of feedback: its own policy allows the one style in it, and nothing here lets scripts run.
NOTEBOOK_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; "
    "base-uri 'none'; frame-ancestors 'none'; sandbox allow-popups"
)
_HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "same-origin",
    "Cache-Control": "no-store",
}


@dataclass(frozen=True)
class Door:
    """Where the desk is open, and the token that opens it."""

    host: str
    port: int
    token: str

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
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return self.host == "localhost"


class Guard:
    """Lets nothing through that isn't asked by somebody who was given the address."""

    def __init__(self, app: ASGIApp, door: Door) -> None:
        self._app, self._door = app, door

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or let the pages answer it."""
        if scope["type"] != "http":
            return

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        refused = self._refused(Request(scope))
        await (refused or self._app)(scope, receive, send_guarded)

    def _refused(self, request: Request) -> Response | None:
        """Return the answer to a request that doesn't reach the pages."""
        host = request.headers.get("host", "")
        if len(request.headers.getlist("host")) != 1 or not self._door.is_named(host):
            return _refusal("This isn't the desk's address: open the one that it printed.", 421)
        if "token" in request.query_params:
            return self._opened(request)
        mine = request.cookies.get(self._door.cookie, "")
        if not _same(mine, self._door.secret("session")):
            return _refusal("Open the address that `autograder desk` printed, token and all.", 403)
        if request.method not in ("GET", "HEAD") and not _is_from_here(request.headers, host):
            return _refusal("A form on another site can't change anything here.", 403)
        return None

    def _opened(self, request: Request) -> Response:
        """Take the token out of the address, and keep a cookie instead."""
        if not _same(request.query_params["token"], self._door.token):
            return _refusal(
                "This token belongs to an earlier desk: open the address that this one printed.",
                403,
            )
        query = parse_qs(request.url.query)
        del query["token"]
        rest = urlencode(query, doseq=True)
        # One slash: two would lead to another site.
        path = "/" + request.url.path.lstrip("/")
        response = RedirectResponse(f"{path}?{rest}" if rest else path, 303)
        response.set_cookie(
            self._door.cookie, self._door.secret("session"), httponly=True, samesite="strict"
        )
        return response


def _is_from_here(headers: Headers, host: str) -> bool:
    """Tell whether a form was sent by a page of this desk; an old browser may not say."""
    origin, site = headers.get("origin"), headers.get("sec-fetch-site")
    return origin in (None, f"http://{host}") and site in (None, "same-origin")


def _same(one: str, other: str) -> bool:
    return hmac.compare_digest(one.encode(), other.encode())


def _refusal(sentence: str, status: int) -> Response:
    return PlainTextResponse(f"{sentence}\n", status)
