"""What stands before every page: whose forms count, what browsers may do, who asks too often."""

import threading
import time
from collections import OrderedDict
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp

from autograder.browsers import BrowserGuard, foreign_form, refusal
from autograder.intake.notebook import MAX_NOTEBOOK
from autograder.serve.store import Store

POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src data:; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
_OVER_TLS = {"Strict-Transport-Security": "max-age=31536000"}
# Others send browsers here with forms of theirs, which hold secrets of their own.
FOREIGN_FORMS = ("/lti/", "/openid/")
MAX_FORM = 64 << 10  # bytes
MAX_UPLOAD = MAX_NOTEBOOK + MAX_FORM
_TOO_LARGE = (
    f"This is too large: a notebook may have {MAX_NOTEBOOK >> 20} MB. Clear its outputs, save it, "
    "and hand it in again."
)
_MINUTE = 60.0  # seconds
MAX_KNOWN = 20_000  # people whose requests a limiter counts


class Limiter:
    """Counts each person's requests, a minute at a time; it forgets those who asked longest ago."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._known: OrderedDict[str, tuple[float, int]] = OrderedDict()
        self._lock = threading.Lock()

    def allows(self, who: str) -> bool:
        now = time.monotonic()
        with self._lock:
            since, number = self._known.pop(who, (now, 0))
            if now - since >= _MINUTE:
                since, number = now, 0
            self._known[who] = since, number + 1
            if len(self._known) > MAX_KNOWN:
                self._known.popitem(last=False)
        return number < self._most


class Guard(BrowserGuard):
    """Lets through forms of our own, under our own name."""

    def __init__(self, app: ASGIApp, store: Store) -> None:
        super().__init__(app, POLICY, _OVER_TLS if store.is_secure else {})
        self._site = store.site

    def refused(self, request: Request) -> Response | None:
        host = request.headers.get("host", "")
        if host != urlsplit(self._site).netloc:
            return refusal(f"This isn't the server's address: open {self._site}.", 421)
        length = request.headers.get("content-length", "")
        if length.isdigit() and int(length) > MAX_UPLOAD:  # the framework would say less
            return refusal(_TOO_LARGE, 413)
        is_foreign = request.url.path.startswith(FOREIGN_FORMS)
        return None if is_foreign else foreign_form(request, self._site)
