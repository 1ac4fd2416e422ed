"""Sign-ins that have begun, and wait for an answer from elsewhere: each is answered once.

An answer counts in the browser that began (its cookie), to this sign-in (the state), and by a token
that was made for it (the nonce). What was answered is gone; so a token that comes again finds
nothing, in whichever browser.
"""

import sys
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import asdict, dataclass, field
from datetime import timedelta
from secrets import token_urlsafe
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from autograder.browsers import address_of
from autograder.errors import AutograderError, GraderFault, PlatformFault, SignInRefused
from autograder.gradebook.database import explaining_errors, now
from autograder.serve.guard import Limiter
from autograder.serve.people import cookie_name
from autograder.serve.store import Store, hashed
from autograder.serve.tables import LOGINS

PATIENCE = timedelta(minutes=10)  # for a person who types a password there
A_MINUTE = 600  # sign-ins that begin at one address: a class may share it
MAX_FORM = 256 << 10  # bytes: some platforms say a lot in a token

Answer = Callable[[Request], Awaitable[Response]]
Refusal = Callable[[AutograderError, int], Response]


def door_at(path: str, answer: Answer, refusal: Refusal, *methods: str) -> BaseRoute:
    """Return a route to an answer that may refuse: a page tells why, and so does the log."""

    async def endpoint(request: Request) -> Response:
        try:
            with explaining_errors():
                return await answer(request)
        except AutograderError as error:
            print(f"autograder: {request.url.path}: {error}", file=sys.stderr)
            statuses = {PlatformFault: 502, GraderFault: 503}
            return refusal(error, statuses.get(type(error), 403))

    return Route(path, endpoint, methods=methods, max_body_size=MAX_FORM)


@dataclass(frozen=True)
class Login:
    browser: str  # what its cookie holds
    provider: str
    state: str
    nonce: str
    verifier: str


@dataclass(frozen=True)
class Logins:
    store: Store
    _limiter: Limiter = field(default_factory=lambda: Limiter(A_MINUTE))

    def begin(self, request: Request, provider: str) -> Login:
        """Note that a browser is about to be sent to `provider`."""
        if not self._limiter.allows(address_of(request)):
            raise SignInRefused("too many sign-ins begin at your address: try again in a minute")
        browser = request.cookies.get(self._cookie) or token_urlsafe(32)
        login = Login(browser, provider, *(token_urlsafe(32) for _ in range(3)))
        row = asdict(login) | {"state": hashed(login.state), "browser": hashed(browser)}
        self.store.add(row | {"expires": now() + PATIENCE}, LOGINS)
        return login

    def take(self, request: Request, state: str) -> Login:
        """Return the sign-in that is answered, and end it; raise `SignInRefused` if none is."""
        browser = request.cookies.get(self._cookie, "")
        mine = (LOGINS.c.state == hashed(state)) & (LOGINS.c.browser == hashed(browser))
        with self.store.writing() as connection:
            row = connection.execute(LOGINS.delete().where(mine).returning(LOGINS)).first()
        if not browser or row is None or row.expires < now():
            raise SignInRefused(
                "it was begun in another browser, used already, or begun too long ago"
            )
        return Login(browser, row.provider, state, row.nonce, row.verifier)

    def send(self, login: Login, address: str, asked: Mapping[str, str]) -> Response:
        """Send a browser to a provider, with the cookie by which it is known when it comes back.

        It comes back by a form on another site, perhaps in a frame there: a cookie must say that it
        is meant for that. Starlette only writes the last word under Python 3.14.
        """
        said = urlencode({**asked, "state": login.state, "nonce": login.nonce})
        response = RedirectResponse(f"{address}{'&' if '?' in address else '?'}{said}", 303)
        response.set_cookie(
            self._cookie, login.browser, secure=True, httponly=True, samesite="none"
        )
        response.headers["set-cookie"] += "; Partitioned"
        return response

    @property
    def _cookie(self) -> str:
        return cookie_name(self.store, "autograder-login")
