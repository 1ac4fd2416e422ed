"""Signing in by OpenID Connect: any provider, by the address at which its discovery document lies.

Authorization code, PKCE and a nonce (OpenID Connect Core 1.0, RFC 7636). A claim says who it is, of
the roster or of the staff in `course.toml`; nobody else comes in.
"""

import base64
import hashlib
import os
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NoReturn

from pydantic import BaseModel
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute

from autograder.course import Course
from autograder.course.roster import folded
from autograder.course.settings import OpenIdSettings
from autograder.errors import AutograderError, PlatformFault, SignInRefused, shown
from autograder.serve.id_tokens import ANY, Issuer, KeySets, verified
from autograder.serve.logins import Login, Logins, door_at
from autograder.serve.outgoing import Outgoing
from autograder.serve.people import Identity, Role, sign_in
from autograder.serve.store import Store

SECRET = "AUTOGRADER_OPENID_SECRET"  # noqa: S105 - the name of a variable, if the provider gave one
BEGIN = "/openid/login"
KEPT = 3600.0  # seconds for which a description holds
_PROVIDER = "openid"
_COLUMNS = ("student_id", "email", "canvas_login", "canvas_sis_id")  # that a claim may be found in


class Discovery(BaseModel):
    """What a provider, or a learning platform, publishes of itself (OpenID Connect Discovery)."""

    issuer: str
    authorization_endpoint: str
    token_endpoint: str
    jwks_uri: str
    userinfo_endpoint: str | None = None
    token_endpoint_auth_methods_supported: tuple[str, ...] = ()


@dataclass
class Provider:
    said: OpenIdSettings
    outgoing: Outgoing
    keys: KeySets
    secret: str = field(default_factory=lambda: os.environ.get(SECRET, ""))
    _known: Discovery | None = None
    _fetched: float = 0.0  # when

    async def discovered(self) -> Discovery:
        """Return the provider's own description, asked for once in a while.

        It must be of the issuer that was named.
        """
        if self._known and time.monotonic() - self._fetched < KEPT:
            return self._known
        address = f"{self.said.issuer.rstrip('/')}/.well-known/openid-configuration"
        found = (await self.outgoing.ask("GET", address)).read(Discovery)
        if found.issuer != self.said.issuer:
            raise PlatformFault(f"{address} is of another issuer: name that in `openid.issuer`.")
        self._known, self._fetched = found, time.monotonic()
        return found

    async def claims(self, code: str, login: Login, redirect_uri: str) -> Mapping[str, Any]:
        """Return what the provider says of the person that it gave a code to."""
        found = await self.discovered()
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": redirect_uri,
            "client_id": self.said.client_id,
            "code_verifier": login.verifier,
        }
        auth = None
        if self.secret and "client_secret_post" in found.token_endpoint_auth_methods_supported:
            form["client_secret"] = self.secret
        elif self.secret:
            auth = (self.said.client_id, self.secret)
        answer = await self.outgoing.ask("POST", found.token_endpoint, data=form, auth=auth)
        tokens = answer.object()
        issuer = Issuer(self.said.issuer, self.said.client_id, found.jwks_uri, ANY)
        claims = await verified(str(tokens.get("id_token", "")), issuer, login.nonce, self.keys)
        if self.said.claim not in claims and found.userinfo_endpoint:
            headers = {"Authorization": f"Bearer {tokens.get('access_token', '')}"}
            answer = await self.outgoing.ask("GET", found.userinfo_endpoint, headers=headers)
            if (more := answer.object()).get("sub") == claims["sub"]:
                claims = more | claims
        return claims


def who(course: Course, said: OpenIdSettings, claims: Mapping[str, Any]) -> Identity:
    """Return whose the claims are; raise `SignInRefused` if it is nobody of the course."""
    name = claims.get(said.claim)
    if not isinstance(name, str) or not name:
        raise SignInRefused(f"the provider doesn't say your `{said.claim}`")
    if said.claim == "email" and claims.get("email_verified") is not True:
        raise SignInRefused("the provider doesn't say that your email was verified")
    if folded(name) in map(folded, said.instructors):
        return Identity(name, Role.INSTRUCTOR)
    for assistant, section in said.assistants.items():
        if folded(name) == folded(assistant):
            return Identity(name, Role.TA, (section,) if section else ())
    people = course.people
    same = {p.student_id for p in people for c in _COLUMNS if folded(getattr(p, c)) == folded(name)}
    if len(same) != 1:
        raise SignInRefused(f"{shown(name[:80])} isn't in this course: ask your instructor")
    return Identity(same.pop())


def door(store: Store, provider: Provider) -> Sequence[BaseRoute]:
    """Return the routes, which end with `people.sign_in`."""
    logins, redirect_uri = Logins(store), f"{store.site}/openid/back"

    async def begin(request: Request) -> Response:
        login = await run_in_threadpool(logins.begin, request, _PROVIDER)
        found = await provider.discovered()
        asked = {
            "scope": "openid email profile",
            "response_type": "code",
            "client_id": provider.said.client_id,
            "redirect_uri": redirect_uri,
            "code_challenge": _challenge(login.verifier),
            "code_challenge_method": "S256",
        }
        return logins.send(login, found.authorization_endpoint, asked)

    async def end(request: Request) -> Response:
        answer = request.query_params
        login = await run_in_threadpool(logins.take, request, answer.get("state", ""))
        if login.provider != _PROVIDER or "code" not in answer:
            raise SignInRefused(f"the provider says {answer.get('error', 'nothing')[:80]!r}")
        claims = await provider.claims(answer["code"], login, redirect_uri)
        return await run_in_threadpool(let_in, request, claims)

    def let_in(request: Request, claims: Mapping[str, Any]) -> Response:
        found = who(store.course, provider.said, claims)
        return sign_in(request, found, "OpenID Connect")

    return [
        door_at(BEGIN, begin, _refusal, "GET"),
        door_at("/openid/back", end, _refusal, "GET"),
    ]


def _refusal(error: AutograderError, status: int) -> NoReturn:
    """Have a page of ours say why somebody isn't let in."""
    said = str(error)
    if isinstance(error, SignInRefused):
        said = f"You aren't signed in: {said}. Try again, in the browser in which you began."
    raise HTTPException(status, said)


def _challenge(verifier: str) -> str:
    digest = hashlib.sha256(verifier.encode()).digest()
    return base64.urlsafe_b64encode(digest).decode().rstrip("=")
