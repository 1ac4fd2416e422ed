"""What stands before every page: whose forms count, what browsers may do, who asks too often."""

import time
from collections import OrderedDict
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src data:; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
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
_OVER_TLS = {"Strict-Transport-Security": "max-age=31536000"}
# Others send browsers here with forms of theirs, which hold secrets of their own.
FOREIGN_FORMS = ("/lti/", "/openid/")
MAX_KNOWN = 20_000  # of whom a limiter remembers how often they asked


class Limiter:
    """Counts requests by who asks, a minute at a time; it forgets who asked longest ago."""

    def __init__(self, most: int, seconds: float = 60) -> None:
        self._most, self._seconds = most, seconds
        self._known: OrderedDict[str, tuple[float, int]] = OrderedDict()

    def allows(self, who: str) -> bool:
        now = time.monotonic()
        since, number = self._known.pop(who, (now, 0))
        if now - since >= self._seconds:
            since, number = now, 0
        self._known[who] = since, number + 1
        if len(self._known) > MAX_KNOWN:
            self._known.popitem(last=False)
        return number < self._most


class Guard:
    """Lets through forms of our own, under our own name; adds what browsers obey."""

    def __init__(self, app: ASGIApp, site: str) -> None:
        self._app, self._site = app, site
        self._headers = _HEADERS | (_OVER_TLS if site.startswith("https://") else {})

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in self._headers.items():
                    headers.setdefault(name, value)
            await send(message)

        refused = self._refused(Request(scope))
        await (refused or self._app)(scope, receive, send_guarded)

    def _refused(self, request: Request) -> Response | None:
        host = request.headers.get("host", "")
        if host != urlsplit(self._site).netloc:
            return _refusal(f"This isn't the server's address: open {self._site}.", 421)
        is_foreign = request.url.path.startswith(FOREIGN_FORMS)
        is_form = request.method not in ("GET", "HEAD") and not is_foreign
        if is_form and not _is_from_here(request.headers, self._site):
            return _refusal("A form on another site can't change anything here.", 403)
        return None


def _is_from_here(headers: Headers, site: str) -> bool:
    """Tell whether a form was sent by a page of ours; an old browser may not say."""
    origin, fetched = headers.get("origin"), headers.get("sec-fetch-site")
    return origin in (None, site) and fetched in (None, "same-origin")


def _refusal(sentence: str, status: int) -> Response:
    return PlainTextResponse(f"{sentence}\n", status)
