"""What browsers may do with pages of ours, and whose requests reach them: desk and server alike."""

import hmac
import socket
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, urlencode

import uvicorn
from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from autograder.errors import CourseError

HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "same-origin",
    "Cache-Control": "no-store",
}
# A page of feedback: its own policy allows the one style in it, and nothing here lets scripts run.
PAGE_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; "
    "base-uri 'none'; frame-ancestors 'none'; sandbox allow-popups"
)
FILE_POLICY = "default-src 'none'; sandbox"


class BrowserGuard:
    """Lets through what `refused` has no answer to, and adds headers that an answer lacks."""

    def __init__(self, app: ASGIApp, policy: str, headers: Mapping[str, str] | None = None) -> None:
        self._app = app
        self._headers = {"Content-Security-Policy": policy} | HEADERS | dict(headers or {})

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in self._headers.items():
                    headers.setdefault(name, value)
            await send(message)

        refused = self.refused(Request(scope))
        await (refused or self._app)(scope, receive, send_guarded)

    def refused(self, request: Request) -> Response | None:
        """Return the answer to a request that doesn't reach the pages."""
        raise NotImplementedError


def foreign_form(request: Request, site: str) -> Response | None:
    """Return the answer to a form that another site's page sent; an old browser may not say."""
    origin, fetched = request.headers.get("origin"), request.headers.get("sec-fetch-site")
    is_ours = origin in (None, site) and fetched in (None, "same-origin")
    if is_ours or request.method in ("GET", "HEAD"):
        return None
    return refusal("A form on another site can't change anything here.", 403)


def address_of(request: Request) -> str:
    return request.client.host if request.client else ""


def refusal(sentence: str, status: int) -> Response:
    return PlainTextResponse(f"{sentence}\n", status)


def is_same(one: str, other: str) -> bool:
    """Tell whether two secrets are the same, in a time that tells nothing of them."""
    return hmac.compare_digest(one.encode(), other.encode())


def address(*parts: object, **query: str) -> str:
    """Return the address of a page; of the `query`, what is empty is left out."""
    path = "/" + "/".join(quote(str(part), safe="") for part in parts)
    said = urlencode({key: value for key, value in query.items() if value})
    return f"{path}?{said}" if said else path


def redirect(path: str) -> Response:
    return RedirectResponse(path, 303)


def feedback_page(page: str) -> Response:
    """Return a page of feedback, or one on a class."""
    return HTMLResponse(page, headers={"Content-Security-Policy": PAGE_POLICY})


def to_be_saved(raw: bytes, name: str) -> Response:
    """Return a file that was handed in, to be saved under a name of ours: no page shows it."""
    headers = {
        "Content-Disposition": f'attachment; filename="{name}"',
        "Content-Security-Policy": FILE_POLICY,
    }
    return Response(raw, media_type="application/octet-stream", headers=headers)


def server(app: ASGIApp, **options: Any) -> uvicorn.Server:
    config = uvicorn.Config(
        app,
        access_log=False,  # addresses hold secrets: a token, an invitation
        log_level="warning",
        server_header=False,
        lifespan="off",
        ws="none",
        timeout_graceful_shutdown=2,
        **options,
    )
    return uvicorn.Server(config)


def listening(what: str, host: str, port: int, backlog: int | None = None) -> socket.socket:
    """Return a socket that listens; raise `CourseError` saying that `what` can't."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        found = socket.create_server((host, port), family=family, backlog=backlog)
        # asyncio sees to it for sockets of its own alone: each answer would wait for 40 ms.
        found.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return found
    except OSError as error:
        raise CourseError(
            f"{what} can't listen at {host}, port {port} ({error.strerror}): choose another by "
            "--host or --port."
        ) from None
